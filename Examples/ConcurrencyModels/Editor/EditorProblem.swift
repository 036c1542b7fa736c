import CoreData
import Foundation

/// What keeps a form from being pushed.
enum EditorProblem: Error {
  /// Fields that break a rule of the model.
  case invalid([SongEditor.Mistyped])
  /// Fields that were changed in the form, and below it since.
  case conflicts([SongEditor.Conflict])
  /// The song was deleted below the form.
  case isGone
  /// The form was cancelled, or its song was deleted by it.
  case isClosed
}

extension EditorProblem: CustomStringConvertible {
  var description: String {
    switch self {
    case .invalid(let fields): fields.map(\.text).joined(separator: " ")
    case .conflicts(let conflicts): conflicts.map(\.text).joined(separator: " ")
    case .isGone: "The song was deleted meanwhile."
    case .isClosed: "The form is closed."
    }
  }
}

extension SongEditor {
  /// A field with a value that the model does not allow.
  struct Mistyped {
    var key: String
    /// The number of the rule, as NSValidationNumberTooLargeError.
    var code: Int
    var text: String
  }

  /// The fields that break a rule, in the order of their names. A form shows them beside the fields, while one types.
  var mistyped: [Mistyped] {
    guard !song.isDeleted else { return [] }
    do {
      if song.isInserted { try song.validateForInsert() } else { try song.validateForUpdate() }
      return []
    } catch {
      let error = error as NSError
      // One error is thrown as it is, several are within one.
      let errors = error.userInfo[NSDetailedErrorsKey] as? [NSError] ?? [error]
      return errors.map {
        Mistyped(
          key: $0.userInfo[NSValidationKeyErrorKey] as? String ?? "", code: $0.code, text: $0.localizedDescription)
      }.sorted { $0.key < $1.key }
    }
  }
}

import CoreData
import Foundation

/// The user's choices for the conflicts that a page showed. They are valid for the versions shown, and for no others.
struct ConflictChoices: Sendable {
  struct Choice: Sendable {
    let version: Int
    /// Whether the store's value is taken, by the name of the property.
    let takesTheirs: [String: Bool]
    /// Whether the object is kept, if one side has deleted it.
    let keepsObject: Bool
  }

  private let choices: [EditReference: Choice]

  /// - Throws: a `FieldMistake` if something was not chosen.
  init(_ form: Form, _ conflicts: [VersionConflict]) throws {
    var choices: [EditReference: Choice] = [:]
    for conflict in conflicts {
      guard let version = form["version:\(conflict.reference)"].flatMap({ Int($0) }) else {
        throw FieldMistake("\(conflict.reference) was not shown. Look at it, and choose.")
      }
      var picks: [String: Bool] = [:]
      for property in conflict.properties where conflict.isChanged {
        guard let pick = form[property.pick], ["mine", "theirs"].contains(pick) else {
          throw FieldMistake("Choose one of the values of \(property.property) of \(conflict.reference).")
        }
        picks[property.property] = pick == "theirs"
      }
      let whole = form["whole:\(conflict.reference)"]
      if !conflict.isChanged, !["keep", "delete"].contains(whole) {
        throw FieldMistake("Choose whether \(conflict.reference) is to stay.")
      }
      choices[conflict.reference] = Choice(version: version, takesTheirs: picks, keepsObject: whole == "keep")
    }
    self.choices = choices
  }

  subscript(reference: EditReference) -> Choice? { choices[reference] }
}

import CoreData
import Foundation
import HTTPTypes

/// The reasons in words why a save did not happen. Nothing was written then, and the changes are kept.
struct SaveFailure: Error, Sendable {
  let status: HTTPResponse.Status
  let what: String
  let lines: [String]

  init(_ error: any Error, _ session: EditSession) {
    let error = error as NSError
    let details = error.userInfo[NSDetailedErrorsKey] as? [NSError] ?? [error]
    if details.allSatisfy({ (1_550...1_680).contains($0.code) }) {
      status = .unprocessableContent
      what = "The model's rules do not allow this"
      lines = details.map { one in
        guard let object = one.userInfo[NSValidationObjectErrorKey] as? NSManagedObject else {
          return one.localizedDescription
        }
        let texts = ValidationProblems.texts(one, object.entity).values.joined(separator: " ")
        return "\(session.reference(object)): \(texts)"
      }
    } else if let conflicts = error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSConstraintConflict] {
      status = .unprocessableContent
      what = "Values that must be unique are taken"
      lines = conflicts.flatMap { Self.lines(of: $0, session) }
    } else if error.code == NSPersistentStoreTimeoutError {
      status = .serviceUnavailable
      what = "Another program has the store locked"
      lines = [ErrorText.text(of: error), "Save again when it is done."]
    } else {
      status = .serviceUnavailable
      what = "The store could not be written"
      lines = [ErrorText.text(of: error)]
    }
  }

  /// Returns one line for each object whose unique values another object has already.
  private static func lines(of conflict: NSConstraintConflict, _ session: EditSession) -> [String] {
    let owner = conflict.databaseObject.map { "\(session.reference($0))" }
    let wishes = conflict.conflictingObjects
    return wishes.map { object in
      let values = conflict.constraint.map { name in
        // The values of a secret attribute are not shown.
        guard object.entity.attributesByName[name]?.isSecret != true, let value = conflict.constraintValues[name] else {
          return name
        }
        return "\(name) “\("\(value)".prefix(80))”"
      }
      let others = owner ?? wishes.filter { $0 !== object }.map { "\(session.reference($0))" }.joined(separator: ", ")
      return "\(session.reference(object)): \(others) has the same \(values.joined(separator: ", "))."
    }
  }
}

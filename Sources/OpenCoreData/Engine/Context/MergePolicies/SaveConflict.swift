import Foundation

/// The error of a store that would have to overwrite rows of another context, or to write values twice that must be
/// unique. One such error stands for all conflicts of a save; `ConflictSearch` finds them after the transaction is rolled
/// back.
package struct SaveConflict: Error {
  /// The error to report if no conflict is found.
  package let reason: NSError

  package init(reason: NSError) { self.reason = reason }
}

/// The conflicts of a save to one store.
package struct FoundConflicts: Error, @unchecked Sendable {  // thrown and caught on the queue of the context
  package var versions: [NSMergeConflict] = []
  package var constraints: [NSConstraintConflict] = []
  /// The error to report if the conflicts are not resolved.
  package let reason: NSError

  package var isEmpty: Bool { versions.isEmpty && constraints.isEmpty }

  /// The conflicts that an incremental store has put into its error; nil for any other error.
  package init?(listedIn error: NSError) {
    guard error.domain == NSCocoaErrorDomain,
      [NSManagedObjectMergeError, NSManagedObjectConstraintMergeError].contains(error.code),
      let list = error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [Any]
    else { return nil }
    reason = error
    versions = list.compactMap { $0 as? NSMergeConflict }
    constraints = list.compactMap { $0 as? NSConstraintConflict }
    if isEmpty { return nil }
  }

  package init(reason: NSError) { self.reason = reason }
}

extension NSError {
  /// 133020: the error of a save whose rows others have changed.
  package convenience init(mergeConflicts list: [NSMergeConflict], _ text: String = "Could not merge changes.") {
    self.init(
      coreData: NSManagedObjectMergeError, text,
      [
        NSPersistentStoreSaveConflictsErrorKey: list, NSAffectedObjectsErrorKey: list.map(\.sourceObject),
        "NSExceptionOmitCallstacks": NSNumber(value: true),
      ])
  }

  /// 133021: the error of a save after which two objects would have equal values that the model wants to be unique.
  package convenience init(constraintConflicts list: [NSConstraintConflict]) {
    let first = list.first
    let names = first?.constraint.joined(separator: ", ") ?? ""
    let entity = first?.conflictingObjects.first?.entity.name ?? ""
    let others =
      switch list.count {
      case ...1: ""
      case 2: ", and 1 other conflict"
      default: ", and \(list.count - 1) other conflicts"
      }
    self.init(
      coreData: NSManagedObjectConstraintMergeError,
      "Objects have the same values where the model wants unique ones: \(names) of \(entity)\(others).",
      [
        NSPersistentStoreSaveConflictsErrorKey: list,
        NSAffectedObjectsErrorKey: list.flatMap(\.conflictingObjects),
        "NSExceptionOmitCallstacks": NSNumber(value: true),
      ])
  }
}

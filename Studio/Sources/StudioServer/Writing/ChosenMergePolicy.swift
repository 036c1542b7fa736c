import CoreData
import Foundation

/// Resolves conflicts with the choices that the user made for them. If there are other conflicts, or other versions of
/// the objects, the save fails, so that the user sees those conflicts.
final class ChosenMergePolicy: NSMergePolicy {
  private let choices: ConflictChoices
  private let session: EditSession

  init(_ choices: ConflictChoices, _ session: EditSession) {
    (self.choices, self.session) = (choices, session)
    super.init(merge: .errorMergePolicyType)
  }

  override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
    let chosen = list.compactMap { conflict -> (NSMergeConflict, ConflictChoices.Choice)? in
      guard let choice = choices[session.reference(conflict.sourceObject)], choice.version == conflict.newVersionNumber
      else { return nil }
      return (conflict, choice)
    }
    // The implementation of the superclass throws, because the policy's type is the error policy.
    guard chosen.count == list.count else { return try super.resolve(optimisticLockingConflicts: list) }
    let wanted = chosen.flatMap { values(of: $0.0, $0.1) }
    let groups = Dictionary(grouping: chosen) { way(with: $0.0, $0.1).rawValue }
    for conflicts in groups.values {
      let policy = NSMergePolicy(merge: way(with: conflicts[0].0, conflicts[0].1))
      try policy.resolve(optimisticLockingConflicts: conflicts.map(\.0))
    }
    for (object, name, value) in wanted { object.setValue(value, forKey: name) }
  }

  private func way(with conflict: NSMergeConflict, _ choice: ConflictChoices.Choice) -> NSMergePolicyType {
    if conflict.newVersionNumber == 0 {
      return choice.keepsObject ? .overwriteMergePolicyType : .mergeByPropertyObjectTrumpMergePolicyType
    }
    if conflict.sourceObject.isDeleted {
      return choice.keepsObject ? .rollbackMergePolicyType : .mergeByPropertyObjectTrumpMergePolicyType
    }
    return .mergeByPropertyObjectTrumpMergePolicyType
  }

  /// Returns the values that the object is to have. They are read before anything is merged.
  private func values(
    of conflict: NSMergeConflict, _ choice: ConflictChoices.Choice
  ) -> [(NSManagedObject, String, Any?)] {
    let object = conflict.sourceObject
    guard let theirs = VersionConflict.theirs(conflict), let context = object.managedObjectContext else { return [] }
    return choice.takesTheirs.map { name, takesTheirs in
      let value = takesTheirs ? theirs[name] : object.value(forKey: name)
      if let id = value as? NSManagedObjectID { return (object, name, context.object(with: id)) }
      return (object, name, value is NSNull ? nil : value)
    }
  }
}

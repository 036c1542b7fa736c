import CoreData
import Foundation

/// What somebody has chosen for conflicts that were shown. It holds for the versions that were shown, and for no others.
struct ConflictChoices: Sendable {
  struct Choice: Sendable {
    let version: Int
    /// By the name of the property, whether the value of the store is taken.
    let takesTheirs: [String: Bool]
    /// For an object that one side has deleted: whether it stays.
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

/// Does with conflicts what somebody has chosen, who has seen them. Where there are others, or other versions, the save fails, so
/// that they are shown.
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
    // Throws, as its type says.
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

  /// The values that the object is to have, as they are before anything is merged.
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

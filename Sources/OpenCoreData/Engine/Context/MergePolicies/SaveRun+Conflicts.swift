import Foundation
import OpenCocoaFoundation

// A save that conflicts with rows that others have written: the context's policy resolves the conflicts, and the save is
// tried again.
extension SaveRun {
  /// How many times a save is tried again because others were faster, before it fails.
  private static let attemptLimit = 100

  /// Runs `write`, which saves to each store by `write(_:to:)`, until there are no more conflicts.
  /// - Throws: errors of the policy; 133020 for a policy that leaves an object in conflict; validation errors of merged
  ///   objects; whatever else `write` throws.
  func resolvingConflicts(_ write: () throws -> Void) throws {
    var before = ConflictMemory()
    for _ in 0..<Self.attemptLimit {
      do {
        return try write()
      } catch let conflicts as FoundConflicts {
        // The row that was in conflict may be gone by now; the save is tried again once.
        if conflicts.isEmpty, before.isRepeated(conflicts) { throw conflicts.reason }
        if let error = before.unresolved(conflicts) { throw error }
        try resolve(conflicts)
      }
    }
    throw NSError(
      coreData: NSManagedObjectMergeError,
      "Unable to recover from optimistic locking failure: others were faster \(Self.attemptLimit) times.")
  }

  /// Saves to one store; nil where nothing was to be written and objects only had to be checked for conflicts.
  /// - Throws: `FoundConflicts`, which only `resolvingConflicts` handles; whatever else the store throws.
  func write(_ work: SaveWork, to store: NSPersistentStore) throws -> SaveResult? {
    do {
      if !work.isEmpty { return try store.save(work, in: context) }
      let reason = NSError(coreData: NSManagedObjectMergeError, "Could not merge changes.")
      let conflicts = try ConflictSearch(context, store).conflicts(of: work, reason)
      if !conflicts.isEmpty { throw conflicts }
      return nil
    } catch let conflicts as FoundConflicts {
      throw conflicts
    } catch let conflict as SaveConflict {
      throw try ConflictSearch(context, store).conflicts(of: work, conflict.reason)
    } catch {
      throw FoundConflicts(listedIn: error as NSError) ?? error
    }
  }

  private func resolve(_ conflicts: FoundConflicts) throws {
    if conflicts.isEmpty { return }
    let policy = context.saving.policy
    // Changes of other contexts are not recorded for undo.
    context.undoRecorder?.isMerging = true
    defer { context.undoRecorder?.isMerging = false }
    if AutomaticMerging.isAwaited(byChildrenOf: context) { context.event.effects = SavedChanges() }
    defer { if let effects = context.event.effects.take() { context.saving.note(resolved: effects) } }
    context.reads.end()
    // A policy may cause other objects to be inserted.
    context.event.toldOfSave = nil
    if !conflicts.versions.isEmpty { try policy.resolve(optimisticLockingConflicts: conflicts.versions) }
    if !conflicts.constraints.isEmpty { try policy.resolve(constraintConflicts: conflicts.constraints) }
    propagateDeletionsAgain()
    context.events.end(isSaving: true)
    // A merged object may break a rule that both sides kept, so it is validated again.
    try validate()
    try checkReferences()
    context.reads.end()
  }

  /// Applies the delete rules of all objects that the save deletes once more, to their present members: a policy may have
  /// restored relationships that the delete rules had ended.
  func propagateDeletionsAgain() {
    for object in context.changed
    where object.state.contains(.deleted) && object.state.isDisjoint(with: [.inserted, .inaccessible]) {
      object.forgetUnchangedRelations()
      object.state.remove(.deletionPropagated)
      context.event.noteDeletion(of: object)
    }
  }

  /// The objects that are checked for conflicts but not written, by store.
  var guardedObjects: [(store: NSPersistentStore, objects: ContiguousArray<NSManagedObject>)] {
    var result: [(store: NSPersistentStore, objects: ContiguousArray<NSManagedObject>)] = []
    for object in context.saving.guarded where object.snapshot != nil && !object.hasChanges {
      guard let store = object.table?.store else { continue }
      if let place = result.firstIndex(where: { $0.store === store }) {
        result[place].objects.append(object)
      } else {
        result.append((store, [object]))
      }
    }
    return result
  }
}

/// The conflicts of earlier attempts. A merge policy that leaves a conflict unresolved is not asked about it again.
private struct ConflictMemory {
  private var versions: [ObjectIdentifier: (new: Int, old: Int)] = [:]
  private var constraints: Set<KnownConstraint> = []
  /// Keeps the conflicts alive, and with them the objects whose identifiers are noted.
  private var kept: [NSObject] = []
  /// The conflicts of the last attempt. They are noted when there is another attempt, which is seldom.
  private var last: FoundConflicts?
  private var emptyAttempts = 0

  private struct KnownConstraint: Hashable {
    let names: [String]
    let objects: [ObjectIdentifier]

    init(_ conflict: NSConstraintConflict) {
      let objects = conflict.conflictingObjects + (conflict.databaseObject.map { [$0] } ?? [])
      (names, self.objects) = (conflict.constraint, objects.map(ObjectIdentifier.init))
    }
  }

  /// Whether the store has refused the save three times without any conflict being found.
  mutating func isRepeated(_ conflicts: FoundConflicts) -> Bool {
    emptyAttempts += 1
    return emptyAttempts > 2
  }

  /// The error for conflicts that are the same as before.
  mutating func unresolved(_ conflicts: FoundConflicts) -> NSError? {
    if conflicts.isEmpty { return nil }
    emptyAttempts = 0
    if let last { note(last) }
    last = conflicts
    let same = conflicts.versions.filter { conflict in
      versions[ObjectIdentifier(conflict.sourceObject)].map {
        $0 == (conflict.newVersionNumber, conflict.oldVersionNumber)
      } ?? false
    }
    if !same.isEmpty {
      return NSError(mergeConflicts: same, "Unable to recover from optimistic locking failure.")
    }
    if constraints.isEmpty { return nil }
    let repeated = conflicts.constraints.filter { constraints.contains(KnownConstraint($0)) }
    return repeated.isEmpty ? nil : NSError(constraintConflicts: repeated)
  }

  private mutating func note(_ conflicts: FoundConflicts) {
    kept += conflicts.versions as [NSObject] + conflicts.constraints as [NSObject]
    for conflict in conflicts.versions {
      versions[ObjectIdentifier(conflict.sourceObject)] = (conflict.newVersionNumber, conflict.oldVersionNumber)
    }
    for conflict in conflicts.constraints { constraints.insert(KnownConstraint(conflict)) }
  }
}

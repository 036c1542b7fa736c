import Foundation
import OpenCocoaFoundation

/// Leaves one of the objects that have equal values where the model wants unique ones; a type of policy decides which.
struct ConstraintConflictResolver {
  let type: NSMergePolicyType

  /// The members that replace others; nil if they are united.
  private let replaced: ReplacedMembers?

  init(_ type: NSMergePolicyType, replacesMembers: Bool) {
    self.type = type
    objectsTrump = type == .mergeByPropertyObjectTrumpMergePolicyType || type == .overwriteMergePolicyType
    replaced =
      replacesMembers && objectsTrump ? ReplacedMembers(replacesByNone: type == .overwriteMergePolicyType) : nil
  }

  /// Whether the values of the context are written over those of the store.
  private let objectsTrump: Bool

  func resolve(_ list: [NSConstraintConflict]) throws {
    let contexts = Dictionary(grouping: list) { conflict in
      conflict.conflictingObjects.first?.managedObjectContext.map(ObjectIdentifier.init)
    }
    for conflicts in contexts.values {
      guard let context = conflicts[0].conflictingObjects.first?.managedObjectContext else { continue }
      try resolve(conflicts, in: context)
    }
  }

  private func resolve(_ conflicts: [NSConstraintConflict], in context: NSManagedObjectContext) throws {
    context.reads.advance()
    // A program may resolve its own conflicts while the context reads at an older commit.
    context.reads.end()
    let merged = MergedObjects(context)
    defer { merged.finish() }
    var survivors: [ObjectIdentifier: NSManagedObject] = [:]
    var gone: [NSManagedObject] = []
    func goes(_ object: NSManagedObject, for survivor: NSManagedObject) {
      survivors[ObjectIdentifier(object)] = survivor
      gone.append(object)
    }
    var known = KnownConstraint()
    for conflict in conflicts {
      let objects = conflict.conflictingObjects.filter { !$0.isDetached && !$0.isDeleted }
      if let row = conflict.databaseObject {
        // An object of an earlier conflict may have taken the row's place.
        let holder = survivors[ObjectIdentifier(row)] ?? row
        if holder === row, let stored = conflict.row { bring(row, upTo: stored, merged) }
        for object in objects where isOpen(conflict, object, holder, &known) {
          try meet(object, holder, conflict, merged, goes)
        }
      } else {
        try meet(objects, conflict, &known, merged, goes)
      }
    }
    func survivor(of object: NSManagedObject) -> NSManagedObject? {
      var next = survivors[ObjectIdentifier(object)]
      var steps = 0
      while let here = next, let further = survivors[ObjectIdentifier(here)], steps < gone.count {
        next = further
        steps += 1
      }
      return next
    }
    ChangeRun(in: context).dropReferences(to: gone, replacement: survivor)
    try merged.update()
    try merged.matchEnds()
    replaced?.set(survivor)
  }

  /// Whether the two objects still have equal values, after earlier conflicts were resolved.
  private func isOpen(
    _ conflict: NSConstraintConflict, _ object: NSManagedObject, _ holder: NSManagedObject,
    _ known: inout KnownConstraint
  ) -> Bool {
    if object === holder || holder.isDeleted || holder.isDetached { return false }
    guard let constraint = known.constraint(conflict.constraint, object.layout),
      let values = constraint.values(of: object),
      let other = known.constraint(conflict.constraint, holder.layout)
    else { return false }
    // The row is compared, so that an object that has not been read stays a fault.
    if let row = conflict.row, holder === conflict.databaseObject, !other.isChanged(in: holder) {
      return constraint.values(of: row) == values
    }
    return other.values(of: holder) == values
  }

  // MARK: An object and a row

  /// Brings the object of the row up to date, which may have been read before others changed the row.
  private func bring(_ holder: NSManagedObject, upTo row: Snapshot, _ merged: MergedObjects) {
    guard let read = holder.snapshot, read.version < row.version, !holder.hasChanges else {
      return
    }
    merged.willMerge(holder)
    holder.snapshot = row
    holder.forgetUnchangedRelations()
  }

  private func meet(
    _ object: NSManagedObject, _ holder: NSManagedObject, _ conflict: NSConstraintConflict, _ merged: MergedObjects,
    _ goes: (NSManagedObject, NSManagedObject) -> Void
  ) throws {
    guard object.state.contains(.inserted) else {
      return objectsTrump ? replace(holder, by: object, goes) : giveWay(object, conflict, merged)
    }
    if !objectsTrump {
      object.give(to: holder, type == .rollbackMergePolicyType ? .relationships : .missing)
    } else if object.layout !== holder.layout || object.key > 0 {
      // The row cannot become the new object's: the two are of different entities, or the new object's ID has been given
      // out already.
      replaced?.note(object, staysAs: object)
      return replace(holder, by: object, goes)
    } else if conflict.isDatabaseObjectNew, let row = conflict.row, holder.isUntouchedFault {
      replaced?.note(object, staysAs: object)
      object.takeOver(holder, row, setValuesOnly: type != .overwriteMergePolicyType, merged)
      return goes(holder, object)
    } else {
      replaced?.note(object, staysAs: holder)
      object.give(to: holder, type == .overwriteMergePolicyType ? .all : .set)
    }
    object.leaveUnsaved()
    goes(object, holder)
  }

  private func replace(
    _ holder: NSManagedObject, by object: NSManagedObject, _ goes: (NSManagedObject, NSManagedObject) -> Void
  ) {
    holder.give(to: object, .missing)
    holder.table?.context?.delete(holder)
    goes(holder, object)
  }

  /// Gives a saved object its own values again in place of those that another object has.
  private func giveWay(_ object: NSManagedObject, _ conflict: NSConstraintConflict, _ merged: MergedObjects) {
    merged.willMerge(object)
    object.enterEvent()
    let names = type == .rollbackMergePolicyType ? object.layout.slots.map(\.name) : conflict.constraint
    if type == .rollbackMergePolicyType { object.dropMemberChanges(merged) }
    for slot in object.layout.slots where names.contains(slot.name) && slot.kind != .toMany && !slot.isTransient {
      if slot.kind == .toOne {
        object.withdraw(slot, merged)
      } else {
        for holder in object.holders(of: slot) { object.unset(holder) }
      }
    }
  }

  // MARK: Objects of the context

  private func meet(
    _ objects: [NSManagedObject], _ conflict: NSConstraintConflict, _ known: inout KnownConstraint,
    _ merged: MergedObjects, _ goes: (NSManagedObject, NSManagedObject) -> Void
  ) throws {
    // A saved object keeps its row and ID; if there are several, the one that changed first stays.
    guard let survivor = objects.first(where: { !$0.state.contains(.inserted) }) ?? objects.first else { return }
    for object in objects where object !== survivor && isOpen(conflict, object, survivor, &known) {
      if !object.state.contains(.inserted) {
        if objectsTrump { replace(object, by: survivor, goes) } else { giveWay(object, conflict, merged) }
        continue
      }
      replaced?.note(object, staysAs: survivor)
      switch type {
      case .overwriteMergePolicyType: object.give(to: survivor, .all)
      case .mergeByPropertyObjectTrumpMergePolicyType: object.give(to: survivor, .set)
      case .rollbackMergePolicyType: object.give(to: survivor, .relationships)
      default: object.give(to: survivor, .missing)
      }
      object.leaveUnsaved()
      goes(object, survivor)
    }
  }
}

/// The constraint that was asked for last: most conflicts of a save are about the same one, of the same entity.
private struct KnownConstraint {
  private var names: [String] = []
  private var layout: EntityLayout?
  private var constraint: UniquenessConstraint?

  mutating func constraint(_ names: [String], _ layout: EntityLayout) -> UniquenessConstraint? {
    if layout !== self.layout || names != self.names {
      (self.names, self.layout) = (names, layout)
      constraint = UniquenessConstraint(names, of: layout.entity)
    }
    return constraint
  }
}

import Foundation
import OpenCocoaFoundation

/// Finds the conflicts of a save: with a few statements for each entity, however many objects there are.
struct ConflictSearch {
  private let context: NSManagedObjectContext
  private let store: NSPersistentStore
  private let transaction: ReadTransaction

  init(_ context: NSManagedObjectContext, _ store: NSPersistentStore) {
    self.context = context
    self.store = store
    context.reads.end()
    transaction = context.reads.latest(on: store)
  }

  /// All conflicts of a save that the store has refused.
  func conflicts(of work: SaveWork, _ reason: NSError) throws -> FoundConflicts {
    defer { transaction.end() }
    var found = FoundConflicts(reason: reason)
    found.versions = try versionConflicts(work) + keyConflicts(work)
    if store.can(.uniqueness) { found.constraints = try constraintConflicts(work) }
    return found
  }

  // MARK: Rows that others have changed

  private func versionConflicts(_ work: SaveWork) throws -> [NSMergeConflict] {
    let objects = work.guarded
    var groups: [ObjectIdentifier: ContiguousArray<NSManagedObject>] = [:]
    for object in objects { groups[ObjectIdentifier(object.layout), default: []].append(object) }
    var found: [ObjectIdentifier: NSMergeConflict] = [:]
    for group in groups.values {
      let shard = store.rows.shard(group[0].layout.rootNumber)
      var known: [Int64: Snapshot] = [:]
      for object in group { known[object.key] = shard.get(object.key, at: .max) }
      let outdated = try store.outdatedRows(of: group, layout: group[0].layout, transaction: transaction)
      for object in group {
        if outdated.gone.contains(object.key) {
          shard.remove([object.key])
          // If both sides have deleted the object, there is no conflict.
          if object.state.contains(.deleted) { continue }
          found[ObjectIdentifier(object)] = NSMergeConflict(object, row: nil, known: nil)
        } else if let row = outdated.rows[object.key] {
          let isKnown = known[object.key]?.version == row.version
          found[ObjectIdentifier(object)] = NSMergeConflict(
            object, row: row, known: isKnown ? nil : known[object.key] ?? object.snapshot)
        }
      }
    }
    return objects.compactMap { found[ObjectIdentifier($0)] }
  }

  // MARK: Keys that others have used

  /// The conflicts of objects that have come back under their former keys, and whose rows others have made again, too.
  private func keyConflicts(_ work: SaveWork) throws -> [NSMergeConflict] {
    // An object that was given a permanent key before its first save has no row yet, and no store need be asked for it.
    let returned = work.inserted.filter { $0.key > 0 && ($0.changes?.formerVersion ?? 0) > 0 }
    var found: [NSMergeConflict] = []
    for group in Dictionary(grouping: returned, by: { ObjectIdentifier($0.layout) }).values {
      let rows = try store.readRows(
        ContiguousArray(group.map(\.key)), layout: group[0].layout, transaction: transaction
      ).rows
      let byKey = Dictionary(rows.map { ($0.primaryKey, $0) }, uniquingKeysWith: { $1 })
      for object in group {
        if let row = byKey[object.key], row.fits(object) { found.append(NSMergeConflict(object, row: row, known: nil)) }
      }
    }
    return found
  }

  // MARK: Values that must be unique

  private func constraintConflicts(_ work: SaveWork) throws -> [NSConstraintConflict] {
    var constraints = UniquenessConstraints(store)
    for object in work.inserted { constraints.note(object) }
    for object in work.updated { constraints.note(object) }
    var conflicts: [NSConstraintConflict] = []
    for group in constraints.groups { conflicts += try self.conflicts(of: group) }
    return conflicts
  }

  private func conflicts(of group: UniquenessConstraints.Group) throws -> [NSConstraintConflict] {
    let stored = group.values.indices.filter { place in !group.values[place].contains(where: \.isUnsaved) }
    let rows = try store.findRows(
      of: group.constraint, having: ContiguousArray(stored.map(group.written(at:))), transaction: transaction)
    var holders = ContiguousArray<Holder?>(repeating: nil, count: group.values.count)
    for found in rows {
      let layout = store.layout(number: found.number, asked: group.constraint.entity.layout)
      if stays(found.key, layout, group.constraint) { holders[stored[found.place]] = (found.key, layout) }
    }
    let holderRows = try read(holders)
    var conflicts: [NSConstraintConflict] = []
    for (place, holder) in holders.enumerated() {
      let objects = group.objects(at: place)
      guard let holder else {
        if objects.count < 2 { continue }
        conflicts.append(
          NSConstraintConflict(group.constraint.names, database: nil, row: nil, isNew: false, objects))
        continue
      }
      let table = context.objects.table(for: holder.layout, store: store)
      let known = table.object(holder.key)
      let object = known ?? context.objects.makeFault(holder.key, holder.layout, table)
      for other in objects {
        conflicts.append(
          NSConstraintConflict(
            group.constraint.names, database: object, row: holderRows[holder.key], isNew: known == nil, [other]))
      }
    }
    return conflicts
  }

  /// The row that has the values of an object.
  private typealias Holder = (key: Int64, layout: EntityLayout)

  /// Whether a row keeps its values in this save: false if the save deletes it or changes its values of the constraint.
  private func stays(_ key: Int64, _ layout: EntityLayout, _ constraint: UniquenessConstraint) -> Bool {
    guard let object = context.objects.table(for: layout, store: store).object(key) else { return true }
    if object.state.contains(.deleted) { return false }
    return !constraint.isChanged(in: object)
  }

  private func read(_ holders: ContiguousArray<Holder?>) throws -> [Int64: Snapshot] {
    var groups: ContiguousArray<(layout: EntityLayout, keys: ContiguousArray<Int64>)> = []
    var count = 0
    for case let holder? in holders {
      count += 1
      // Mostly all are of one entity.
      if let place = groups.firstIndex(where: { $0.layout === holder.layout }) {
        groups[place].keys.append(holder.key)
      } else {
        groups.append((holder.layout, [holder.key]))
      }
    }
    var result: [Int64: Snapshot] = [:]
    result.reserveCapacity(count)
    for (layout, keys) in groups {
      let rows = try store.readRows(keys, layout: layout, transaction: transaction).rows
      for row in rows { result[row.primaryKey] = row }
    }
    return result
  }
}

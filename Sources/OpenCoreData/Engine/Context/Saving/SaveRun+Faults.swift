import Foundation
import OpenCocoaFoundation

// The rows of objects that are saved as faults.
extension SaveRun {
  /// The row of an object that is deleted as a fault.
  typealias DeletedRow = (object: NSManagedObject, row: Snapshot)

  /// Reads the rows of objects that were changed as faults, since an update needs the version of the row that it replaces.
  ///
  /// - Returns: the rows of faults that are deleted and whose class overrides `didSave`. In it a program reads what it has to
  ///   clean up besides, such as the name of a file, and then the rows are gone. The objects take these rows only after the
  ///   save: a deletion of a fault overwrites what others have changed, whatever methods its class has.
  func realiseChanged() throws -> [DeletedRow] {
    var updated: [RowKind: ContiguousArray<NSManagedObject>] = [:]
    var deleted: [RowKind: ContiguousArray<NSManagedObject>] = [:]
    context.changed.forEachUncounted { object in
      guard object.rowReference == nil else { return }
      if object.state.contains(.updated) {
        if !object.state.contains(.hasNoRow) { updated[RowKind(object), default: []].append(object) }
      } else if object.isDeletedFaultForDidSave {
        deleted[RowKind(object), default: []].append(object)
      }
    }
    for group in updated.values { try read(group) { object, row in object.takeUnread(row) } }
    var rows: [DeletedRow] = []
    // A deletion needs no row: where it cannot be read, the save goes on and `didSave` finds no values.
    for group in deleted.values { try? read(group) { object, row in rows.append((object, row)) } }
    return rows
  }

  /// Reads the rows of faults in one batch. They are read in the transaction that the context has read in, so that later
  /// changes by others are a conflict.
  private func read(
    _ group: ContiguousArray<NSManagedObject>, _ take: (NSManagedObject, Snapshot) -> Void
  ) throws {
    guard let store = group[0].table?.store else { return }
    let transaction = context.reads.transaction(on: store), shard = store.rows.shard(group[0].layout.rootNumber)
    let unread = group.filter { object in
      guard let row = shard.get(object.key, at: transaction.pinnedCommit), row.fits(object) else { return true }
      take(object, row)
      return false
    }
    if unread.isEmpty { return }
    let rows = try store.readRows(
      ContiguousArray(unread.map(\.key)), layout: group[0].layout, transaction: transaction
    ).rows
    let byKey = Dictionary(rows.map { ($0.primaryKey, $0) }, uniquingKeysWith: { $1 })
    for object in unread { if let row = byKey[object.key] { take(object, row) } }
  }
}

extension NSManagedObject {
  /// Whether the object is deleted as a fault, and its class has a `didSave` that may read its values.
  final var isDeletedFaultForDidSave: Bool {
    rowReference == nil && state.contains(.deleted) && state.isDisjoint(with: [.inserted, .inaccessible, .hasNoRow])
      && layout.overridesDidSave
  }
}

import Foundation
import OpenCocoaFoundation

// Rows and their entities, for all kinds of stores.
extension NSPersistentStore {
  /// The rows of those objects that were read in another version than the store has.
  /// - Parameter versions: of the rows that are there, by key.
  final func outdatedRows(
    of objects: ContiguousArray<NSManagedObject>, versions: [Int64: Int64], layout: EntityLayout,
    transaction: ReadTransaction
  ) throws -> OutdatedRows {
    var outdated = OutdatedRows()
    let changed = objects.filter { versions[$0.key] == nil || versions[$0.key] != $0.snapshot?.version }
    if changed.isEmpty { return outdated }
    for row in try readRows(ContiguousArray(changed.map(\.key)), layout: layout, transaction: transaction).rows {
      outdated.rows[row.primaryKey] = row
    }
    for object in changed where outdated.rows[object.key].map({ !$0.fits(object) }) ?? true {
      outdated.rows[object.key] = nil
      outdated.gone.insert(object.key)
    }
    return outdated
  }

  /// The layout of a row's own entity, where that inherits from the same root; else of the entity that was asked for.
  ///
  /// A damaged file may name any entity; an identity map and its rows belong to one root.
  @inline(__always)
  final func layout(number: Int, asked: EntityLayout) -> EntityLayout {
    guard let own = layout(number: number), own.rootNumber == asked.rootNumber else { return asked }
    return own
  }

  final func number(of object: NSManagedObject) -> Int { number(of: object.layout.entity) }
}

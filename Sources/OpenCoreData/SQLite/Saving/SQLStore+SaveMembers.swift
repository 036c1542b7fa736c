import CSQLite
import Foundation

// The second half of a save: join tables.
extension SQLStore {
  /// Writes what was added to and removed from the many-to-many relationships of which `object` is the naming side.
  func writeMembers(
    of object: NSManagedObject, _ key: Int64, _ keys: SaveKeys, _ connection: SQLiteConnection
  ) throws {
    guard let relations = object.relations else { return }
    let entity = try entity(object.layout.entity)
    for slot in object.layout.slots where slot.kind == .toMany && !slot.isTransient {
      guard let state = relations.states[slot.relationIndex] as? ToManyState, state.hasChanges,
        let toMany = entity.toManys[slot.name],
        case .join(let table, let source, let member, _, _) = toMany.storage, isWritingSide(slot, toMany, entity)
      else { continue }
      if !state.removed.isEmpty {
        let statement = try connection.statement("DELETE FROM \(table) WHERE \(source) = ? AND \(member) = ?")
        for gone in state.removed where gone.key > 0 {
          statement.bind(key, at: 1)
          statement.bind(gone.key, at: 2)
          try statement.run()
        }
      }
      if !state.added.isEmpty {
        var members = ContiguousArray(state.added.lazy.map { keys.permanent($0.key) })
        members.sort()
        let statement = try connection.statement("INSERT OR IGNORE INTO \(table)(\(source), \(member)) VALUES(?, ?)")
        for member in members {
          statement.bind(key, at: 1)
          statement.bind(member, at: 2)
          try statement.run()
        }
      }
    }
  }

  /// Both ends know the same pairs: the one writes whose column comes first in the table's key.
  private func isWritingSide(_ slot: PropertySlot, _ toMany: SQLToMany, _ entity: SQLEntity) -> Bool {
    guard let inverse = slot.inverse, slot.inverseIsToMany, let destination = slot.destination,
      let back = schema.entity(for: destination)?.toManys[inverse.name]
    else { return true }
    if back.relationship === toMany.relationship { return true }
    guard case .join(let table, let source, _, _, _) = toMany.storage else { return false }
    return schema.tables.contains { $0.joinTables.contains { $0.name == table && $0.sourceColumn == source } }
  }
}

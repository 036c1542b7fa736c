#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  // To-many relationships that are not stored in the owner's rows: join tables, and columns of the members' rows that
  // name the owner.
  extension SaveFlight {
    /// Writes the members that a save adds and removes, with permanent keys. Calls `lost` for each owner that loses a
    /// member to another owner.
    mutating func write(
      _ members: PlannedMembers, _ keys: SaveKeys, lost: @escaping (FormerOwner) -> Void
    ) throws {
      let entity = try store.entity(members.layout.entity), slot = members.slot
      guard let toMany = entity.toManys[slot.name] else { return }
      let id = store.relationID(members.layout, slot), owner = keys.permanent(members.owner)
      let removed = members.removed.filter { $0 > 0 }, added = members.added.map(keys.permanent).sorted()
      switch toMany.storage {
      case .foreignKey(let table, let column, _, let order):
        if slot.inverse != nil { return }
        if !removed.isEmpty { release(ContiguousArray(removed), of: owner, (table, column, order), id) }
        if !added.isEmpty { adopt(added, by: owner, (table, column, order), id, members, lost) }
      case .join(let table, let source, let member, _, _):
        if !store.isWritingSide(slot, toMany, entity) { return }
        var pairs = pairs[id] ?? Pairs(table: table, owner: source, member: member)
        for gone in removed { pairs.removed.append((owner, gone)) }
        for new in added { pairs.added.append((owner, new)) }
        self.pairs[id] = pairs
      }
    }

    /// Writes the pairs of all relationships: one statement adds all pairs of a relationship's table, for any number of
    /// owners.
    mutating func writePairs() {
      for (id, pairs) in pairs.sorted(by: { $0.value.table < $1.value.table }) {
        let types = Self.arrays([.key, .key])
        let (table, owner, member) = (quoted(pairs.table), quoted(pairs.owner), quoted(pairs.member))
        if !pairs.removed.isEmpty {
          let statement = store.statements.statement(.ofMembers(id, .removal)) {
            ServerStatement(
              "DELETE FROM \(table) t USING unnest($1, $2) AS v(o, m) WHERE t.\(owner) = v.o AND t.\(member) = v.m",
              types: types)
          }
          add(statement, values(pairs.removed))
        }
        if !pairs.added.isEmpty {
          let statement = store.statements.statement(.ofMembers(id, .addition)) {
            // Without an order, two saves that add the same pairs in different orders could wait for each other.
            ServerStatement(
              "INSERT INTO \(table)(\(owner), \(member)) SELECT * FROM unnest($1, $2) AS v(o, m) ORDER BY o, m "
                + "ON CONFLICT DO NOTHING", types: types)
          }
          add(statement, values(pairs.added))
        }
      }
      pairs = [:]
    }

    private func values(_ pairs: ContiguousArray<(owner: Int64, member: Int64)>) -> ServerValues {
      var values = ServerValues()
      values.append(array: pairs.lazy.map(\.owner))
      values.append(array: pairs.lazy.map(\.member))
      return values
    }

    private func values(_ owner: Int64, _ members: some Sequence<Int64>) -> ServerValues {
      var values = ServerValues()
      values.append(owner)
      values.append(array: members)
      return values
    }

    private mutating func release(
      _ members: ContiguousArray<Int64>, of owner: Int64, _ place: (table: String, column: String, order: String?),
      _ id: RelationID
    ) {
      let statement = store.statements.statement(.ofMembers(id, .release)) {
        let order = place.order.map { ", \(quoted($0)) = NULL" } ?? ""
        return ServerStatement(
          "UPDATE \(quoted(place.table)) SET \(quoted(place.column)) = NULL\(order) "
            + "WHERE \(key) = ANY($2) AND \(quoted(place.column)) = $1",
          types: [ServerType.int64, ServerType.array(of: ServerType.int64)])
      }
      add(statement, values(owner, members))
    }

    private var key: String { quoted(dialect.columns.key) }

    /// Gives members to an owner. Each member has one owner: the one that is saved last.
    private mutating func adopt(
      _ members: [Int64], by owner: Int64, _ place: (table: String, column: String, order: String?), _ id: RelationID,
      _ planned: PlannedMembers, _ lost: @escaping (FormerOwner) -> Void
    ) {
      let statement = store.statements.statement(.ofMembers(id, .adoption)) {
        let column = quoted(place.column), order = place.order.map { ", \(quoted($0)) = NULL" } ?? ""
        return ServerStatement(
          "WITH o AS MATERIALIZED (SELECT \(key) AS pk, \(column) AS owner FROM \(quoted(place.table)) "
            + "WHERE \(key) = ANY($2) AND \(column) IS DISTINCT FROM $1 ORDER BY \(key) FOR UPDATE) "
            + "UPDATE \(quoted(place.table)) t SET \(column) = $1\(order) FROM o WHERE t.\(key) = o.pk "
            + "RETURNING o.pk, o.owner", types: [ServerType.int64, ServerType.array(of: ServerType.int64)])
      }
      let store = store
      add(statement, values(owner, members)) { result in
        for row in 0..<result.rowCount where !result.isNull(row, 1) {
          let former = result.int64(row, 1)
          try store.noteOwner(of: result.int64(row, 0), former, owner, planned)
          lost(FormerOwner(key: former, layout: planned.layout, slot: planned.slot))
        }
      }
    }

    /// Removes the members of deleted owners from the owners' relationships.
    mutating func removeMembers(of rows: ContiguousArray<PlannedRow>) throws {
      for (entity, rows) in try grouped(rows) {
        let layout = rows[0].layout
        for slot in layout.slots where slot.kind == .toMany && !slot.isTransient {
          guard let toMany = entity.toManys[slot.name], slot.relationship.deleteRule != .noActionDeleteRule,
            let text = withoutOwner(toMany, slot)
          else { continue }
          let statement = store.statements.statement(.ofMembers(store.relationID(layout, slot), .withoutOwner)) {
            ServerStatement(text, types: [ServerType.array(of: ServerType.int64)])
          }
          add(statement, store.keyValues(rows.lazy.map(\.key)))
        }
      }
    }

    private func withoutOwner(_ toMany: SQLToMany, _ slot: PropertySlot) -> String? {
      switch toMany.storage {
      case .foreignKey(let table, let column, _, let order):
        if slot.inverse != nil { return nil }
        let place = order.map { ", \(quoted($0)) = NULL" } ?? ""
        return "UPDATE \(quoted(table)) SET \(quoted(column)) = NULL\(place) WHERE \(quoted(column)) = ANY($1)"
      case .join(let table, let source, let member, _, _):
        let isSymmetric = slot.relationship.inverseRelationship === slot.relationship
        let other = isSymmetric ? " OR \(quoted(member)) = ANY($1)" : ""
        return "DELETE FROM \(quoted(table)) WHERE \(quoted(source)) = ANY($1)\(other)"
      }
    }
  }

  extension ServerStore {
    /// Reports that a member had another owner.
    /// - Throws: 134110 in a migration, which must not lose one of the two owners.
    func noteOwner(of member: Int64, _ old: Int64, _ new: Int64, _ members: PlannedMembers) throws {
      let name = members.layout.name
      let text =
        "\(name).\(members.slot.name) has no inverse, so that a member has one owner: p\(member) belongs to "
        + "\(name)/p\(old) and \(name)/p\(new)"
      if keepsOwnersApart.load(ordering: .relaxed) {
        throw NSError(coreData: NSMigrationError, text + "; nothing was migrated.")
      }
      FrameworkLog.write("warning: \(text); it is the latter's from now on.")
    }
  }
#endif

#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  // The order of to-many relationships: the members have ascending numbers in their rows, or in the join table.
  extension SaveFlight {
    private var arrays: UInt32 { ServerType.array(of: ServerType.int64) }

    /// Writes the order of an owner's members. This changes neither the versions of the members' rows nor any other
    /// column of them.
    mutating func write(_ order: PlannedOrder, _ keys: SaveKeys) throws {
      let entity = try store.entity(order.layout.entity)
      guard let toMany = entity.toManys[order.slot.name],
        let place = SQLMemberOrder(toMany, fixed: dialect.columns)
      else { return }
      let id = store.relationID(order.layout, order.slot)
      var values = ServerValues()
      values.append(keys.permanent(order.owner))
      switch order.change {
      case .append(let new):
        if new.isEmpty { return }
        values.append(array: new.lazy.map(keys.permanent))
        add(store.statements.statement(.ofMembers(id, .append)) { append(place) }, values)
      case .arrange(let whole, _):
        values.append(array: whole.lazy.map(keys.permanent))
        add(store.statements.statement(.ofMembers(id, .arrangement)) { arrangement(place) }, values)
      }
    }

    /// Returns the statement that puts members after all others; its variables are the owner and the members.
    private func append(_ place: SQLMemberOrder) -> ServerStatement {
      let (table, member) = (quoted(place.table), quoted(place.memberColumn))
      let (order, owner) = (quoted(place.orderColumn), quoted(place.ownerColumn))
      return ServerStatement(
        "UPDATE \(table) t SET \(order) = b.last + \(SortKeys.step) * v.n FROM unnest($2) WITH ORDINALITY AS v(m, n), "
          + "(SELECT COALESCE(max(\(order)), \(SortKeys.step)) AS last FROM \(table) WHERE \(owner) = $1) AS b "
          + "WHERE t.\(member) = v.m AND t.\(owner) = $1", types: [ServerType.int64, arrays])
    }

    /// Returns the statement that arranges the members in an order. Other members that the store has come after them,
    /// in the order that they have in the store.
    ///
    /// The members at the beginning that are in their order already keep their numbers.
    private func arrangement(_ place: SQLMemberOrder) -> ServerStatement {
      let (table, member) = (quoted(place.table), quoted(place.memberColumn))
      let (order, owner) = (quoted(place.orderColumn), quoted(place.ownerColumn))
      return ServerStatement(
        "WITH v AS MATERIALIZED (SELECT m, n FROM unnest($2) WITH ORDINALITY AS v(m, n)), "
          + "s AS (SELECT t.\(member) AS m, t.\(order) AS old, row_number() OVER (ORDER BY v.n NULLS LAST, "
          + "t.\(order) NULLS FIRST, t.\(member)) AS n FROM \(table) t LEFT JOIN v ON v.m = t.\(member) "
          + "WHERE t.\(owner) = $1), "
          + "k AS (SELECT m, n, old, bool_and(old IS NOT NULL AND old > before) OVER (ORDER BY n) AS keeps "
          + "FROM (SELECT m, n, old, COALESCE(lag(old) OVER (ORDER BY n), 0) AS before FROM s) AS p), "
          + "b AS (SELECT COALESCE(max(old), \(SortKeys.step)) AS last, count(*) AS kept FROM k WHERE keeps) "
          + "UPDATE \(table) t SET \(order) = b.last + \(SortKeys.step) * (k.n - b.kept) FROM k, b "
          + "WHERE NOT k.keeps AND t.\(member) = k.m AND t.\(owner) = $1", types: [ServerType.int64, arrays])
    }
  }
#endif

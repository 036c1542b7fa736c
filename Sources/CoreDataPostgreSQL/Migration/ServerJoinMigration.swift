#if PostgreSQL
  @_spi(Store) import OpenCoreData

  /// How the join table of a many-to-many relationship is migrated: left as it is, renamed, or filled anew.
  struct ServerJoinMigration {
    let table: SQLJoinTable
    /// The old table that becomes this one.
    private(set) var taken: String?
    private(set) var filling: [MigrationPlan.Step] = []
    private(set) var altering: [MigrationPlan.Step] = []
    private(set) var temporaryName: String?

    /// - Parameter place: a number that no other join table has.
    init(_ table: SQLJoinTable, _ versions: StoreVersions, place: Int, free: (String) -> Bool) {
      self.table = table
      let found = versions.names.newRelationships[table.name]
      let origins = found.map { RelationshipPairs.origins(of: $0.toMany.relationship, in: versions) } ?? []
      if let pairs = origins.first, origins.count == 1, let found, free(pairs.table),
        take(pairs, found.toMany, found.entity, versions)
      {
        return
      }
      let name = "_new.\(place).pairs"
      temporaryName = name
      filling.append(
        step(DDL.text(.create(SQLTableDefinition(table, named: name)), versions.new) + " WITH (fillfactor = 90)"))
      guard let found else { return }
      for pairs in origins {
        // Several origins may have the same pair.
        filling.append(
          step(
            PairInsertion(pairs, found.toMany, found.entity, versions).text(into: name, table)
              + " ON CONFLICT DO NOTHING", rows: versions.contents.rowCount(of: pairs.table)))
      }
    }

    private func step(_ sql: String, rows: Int64 = 0) -> MigrationPlan.Step {
      MigrationPlan.Step(.sql(sql), rows: rows, subject: table.name)
    }

    /// Takes the old table if it only needs other names; returns whether it did.
    private mutating func take(
      _ pairs: RelationshipPairs, _ toMany: SQLToMany, _ entity: SQLEntity, _ versions: StoreVersions
    ) -> Bool {
      guard let before = versions.names.oldJoins[pairs.table], before.sourceColumn == pairs.owner,
        case .join(_, _, _, let order, let inverse) = toMany.storage,
        (order == nil) == (pairs.order == nil), (inverse == nil) == (pairs.inverseOrder == nil),
        PairInsertion(pairs, toMany, entity, versions).keepsKeys
      else { return false }
      let names = [
        (pairs.owner, table.sourceColumn), (pairs.member, table.destinationColumn), (pairs.order, order),
        (pairs.inverseOrder, inverse),
      ].compactMap { old, new in old.flatMap { old in new.map { (old: old, new: $0) } } }.filter { $0.old != $0.new }
      taken = before.name
      altering = TableAlteration.ordered(names).map { old, new in
        step(
          "ALTER TABLE \(versions.quoted(before.name)) RENAME COLUMN \(versions.quoted(old)) TO \(versions.quoted(new))"
        )
      }
      return true
    }
  }
#endif

#if PostgreSQL
  @_spi(Store) import OpenCoreData

  /// The indexes that a migration drops, and those that it creates. An index that does not change stays; indexes that
  /// are not of the schema stay as long as their columns do.
  struct ServerIndexMigration {
    private(set) var drops: [MigrationPlan.Step] = []
    private(set) var creations: [MigrationPlan.Step] = []

    init(_ versions: StoreVersions, tables: [ServerTableMigration], joins: [ServerJoinMigration]) {
      let old = ServerSchema(model: versions.old).indexDefinitions().map(\.definition)
      let new = ServerSchema(model: versions.new).indexDefinitions()
      // The tables that keep their name while they are altered, with the columns whose indexes must be dropped.
      var kept: [String: Set<String>] = [:]
      for table in tables where table.taken == table.table.name { kept[table.table.name] = table.touchedColumns }
      for join in joins where join.taken == join.table.name && join.altering.isEmpty { kept[join.table.name] = [] }
      let wanted = Set(new.map { DDL.text(.createIndex($0.definition), versions.new) })
      var left: Set<String> = []
      for index in old {
        let text = DDL.text(.createIndex(index), versions.old)
        if wanted.contains(text), let touched = kept[index.table],
          !touched.contains(where: { text.contains(versions.quoted($0)) })
        {
          left.insert(text)
        } else {
          drops.append(
            MigrationPlan.Step(.sql("DROP INDEX IF EXISTS \(versions.quoted(index.name))"), subject: index.table))
        }
      }
      for (index, unique) in new {
        let text = DDL.text(.createIndex(index), versions.new)
        if left.contains(text) { continue }
        let rows = (versions.feeds[index.table] ?? []).reduce(Int64(0)) {
          $0 + versions.contents.rowCount(of: $1.table)
        }
        let obstacle = unique.map { entity, names in
          MigrationObstacle(
            kind: .constraintViolation, entity: entity.name, property: names.count == 1 ? names[0] : nil,
            reason: "no two objects may be equal in \(names.joined(separator: ", ")), and some are")
        }
        creations.append(MigrationPlan.Step(.sql(text), rows: rows, obstacle: obstacle, subject: index.table))
      }
    }
  }
#endif

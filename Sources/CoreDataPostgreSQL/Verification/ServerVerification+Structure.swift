#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  // Checks metadata, tables, columns, indexes, numbers of entities, and keys.
  extension ServerVerification {
    func checkMetadata(_ report: (StoreProblem) -> Void) throws {
      let table = "_store"
      if UUID(uuidString: row.metadata.identifier) == nil {
        report(StoreProblem(.metadata, at: table, "the UUID “\(row.metadata.identifier)” is none"))
      }
      guard let hashes = row.metadata.properties[NSStoreModelVersionHashesKey] as? [String: Data] else {
        return report(StoreProblem(.metadata, at: table, "\(NSStoreModelVersionHashesKey) is missing"))
      }
      let model: NSManagedObjectModel
      do {
        model = try ModelCache.decode(row.model)
      } catch {
        return report(
          StoreProblem(
            .modelCache, at: table, "the copy of the model cannot be read: \((error as NSError).localizedDescription)"))
      }
      let kept = model.entityVersionHashesByName
      let different = hashes.filter { kept[$0.key] != $0.value }.keys.sorted()
      if !different.isEmpty {
        report(
          StoreProblem(
            .modelCache, at: table, "the copy of the model has other versions of entities than the metadata state",
            count: different.count, examples: Array(different.prefix(Self.exampleLimit))))
      }
      let given = Dictionary(
        schema.entities.map { ($0.name, $0.entity.versionHash) }, uniquingKeysWith: { first, _ in first })
      let others = hashes.keys.filter { given[$0] != nil && given[$0] != hashes[$0] }.sorted()
      if !others.isEmpty {
        report(
          StoreProblem(
            .modelMismatch, at: "model", "the given model has other versions of entities than the metadata state",
            count: others.count, examples: Array(others.prefix(Self.exampleLimit))))
      }
    }

    func checkTables(_ report: (StoreProblem) -> Void) throws {
      for definition in DDL.definitions(of: schema) {
        guard let found = columns[definition.name] else {
          report(StoreProblem(.missingTable, at: definition.name, "the table is missing"))
          continue
        }
        for column in definition.columns {
          let expected = schema.dialect.name(of: column.type)
          guard let type = found[column.name] else {
            report(StoreProblem(.missingColumn, at: definition.name, "the column \(column.name) is missing"))
            continue
          }
          // The collation of a text is not part of the name of its type.
          if type != expected, !expected.hasPrefix(type + " COLLATE") {
            report(
              StoreProblem(
                .wrongType, at: definition.name, "the column \(column.name) is \(type) where \(expected) is expected"))
          }
        }
      }
      for table in schema.dialect.naming.otherTables where columns[table] == nil {
        report(StoreProblem(.missingTable, at: table, "the table is missing"))
      }
      try checkIndexes(report)
    }

    /// Checks that the indexes exist and are valid. An index whose creation failed may exist, but serves nothing.
    private func checkIndexes(_ report: (StoreProblem) -> Void) throws {
      var found: [String: Bool] = [:]
      try connection.query(
        """
        SELECT c.relname::text, i.indisvalid FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid \
        JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = current_schema()
        """
      ) { found[$0.string($1, 0)] = $0.bool($1, 1) }
      for (definition, unique) in ServerSchema(model: schema).indexDefinitions() where found[definition.name] != true {
        let state = found[definition.name] == nil ? "is missing" : "is not valid"
        let (severity, harm): (StoreProblem.Severity, String) =
          unique.map { (.error, "nothing keeps \($0.entity.name).(\($0.properties.joined(separator: ", "))) unique") }
          ?? (.warning, "fetches are slow")
        report(
          StoreProblem(
            .missingIndex, severity, at: definition.table, "the index \(definition.name) \(state): \(harm)"))
      }
    }

    /// Checks that `_entity` has a row for each entity, and that the sequences are beyond the keys in use.
    func checkEntityNumbers(_ report: (StoreProblem) -> Void) throws {
      var names: [Int: String] = [:]
      try connection.query("SELECT number, name::text FROM \"_entity\"") {
        names[Int($0.int32($1, 0))] = $0.string($1, 1)
      }
      for entity in schema.entities where names[entity.number] != entity.name {
        let found = names[entity.number].map { "is named “\($0)”" } ?? "is missing"
        report(
          StoreProblem(.entityName, at: "_entity", "the number \(entity.number) of \(entity.name) \(found)"))
      }
      for entity in schema.entities where entity.superentity == nil && columns[entity.tableName] != nil {
        let sequence = ServerSchema.sequence(of: entity, schema.dialect)
        let state = try connection.integer(
          "SELECT CASE WHEN is_called THEN last_value + \(ServerKeys.block - 1) ELSE last_value - 1 END FROM \(sequence)"
        )
        let highest = try connection.integer("SELECT max(\(key)) FROM \(quoted(entity.tableName))")
        guard let state, let highest, state < highest else { continue }
        report(
          StoreProblem(
            .keyCounter, at: entity.name,
            "the sequence \(sequence) is at \(state), but the highest key is \(highest): new objects would take keys in use"
          ))
      }
    }
  }
#endif

#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  /// Adapts history to a new model: history refers to rows by the numbers of their entities, and to properties by bits,
  /// and both change with the model. Changes of entities that do not exist any more are removed.
  struct HistoryRows {
    private let versions: StoreVersions
    private let bits: HistoryBitMigration

    init(_ versions: StoreVersions) {
      self.versions = versions
      bits = HistoryBitMigration(versions)
    }

    /// The statements that give changes their new entities and keys, and remove those of removed entities.
    var steps: [MigrationPlan.Step] {
      var result: [MigrationPlan.Step] = []
      func add(_ sql: String) { result.append(MigrationPlan.Step(.sql(sql), subject: "_change")) }
      let removed = versions.old.entities.filter { versions.successors[$0.number] == nil && !$0.entity.isAbstract }
      if !removed.isEmpty {
        add("DELETE FROM \"_change\" WHERE ent IN (\(removed.map { "\($0.number)" }.joined(separator: ", ")))")
      }
      let moved = versions.successors.filter { $0 != $1.entity.number || $1.offset != 0 }.sorted { $0.key < $1.key }
      if moved.isEmpty { return result }
      func choice(_ column: String, _ value: (StoreVersions.Successor) -> String) -> String {
        let cases = moved.map { "WHEN \($0) THEN \(value($1))" }
        return "\(column) = CASE ent \(cases.joined(separator: " ")) ELSE \(column) END"
      }
      let numbers = moved.map { "\($0.key)" }.joined(separator: ", ")
      add(
        "UPDATE \"_change\" SET \(choice("ent") { "\($0.entity.number)" }), \(choice("pk") { "pk + \($0.offset)" }) "
          + "WHERE ent IN (\(numbers))")
      return result
    }

    /// Gives changes their new bits. This runs before the statements of `steps`, with the old numbers. An entity has
    /// only few different values of bits.
    func writeBits(_ connection: ServerConnection) throws {
      for number in bits.numbers {
        var old: [Data] = []
        try connection.query("SELECT DISTINCT props FROM \"_change\" WHERE ent = \(number) AND props IS NOT NULL") {
          old.append($0.data($1, 0))
        }
        let changed = old.map { ($0, bits.bitmap(of: $0, number: number)) }.filter { $0 != $1 }
        if changed.isEmpty { continue }
        var values = ServerValues()
        for part in [changed.map(\.0), changed.map(\.1)] {
          values.beginArray(of: ServerType.bytes, reserving: part.count)
          for bitmap in part { values.append(bitmap) }
          values.endArray()
        }
        var flight = Flight()
        let type = ServerType.array(of: ServerType.bytes)
        flight.add(
          ServerStatement(
            "UPDATE \"_change\" c SET props = v.new FROM unnest($1, $2) AS v(old, new) "
              + "WHERE c.ent = \(number) AND c.props = v.old", types: [type, type], isPrepared: false), values)
        try connection.run(flight)
      }
    }
  }
#endif

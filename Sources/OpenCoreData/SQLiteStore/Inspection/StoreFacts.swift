import Foundation

/// A summary of a store file: its versions, entities, sizes and files.
package struct StoreFacts {
  package struct Entity {
    package let name: String
    package let superentity: String?
    /// Whether the entity is abstract in the model, so that it has no rows; nil without a model.
    package let isAbstract: Bool?
    /// The number of rows of the entity itself; nil if its table cannot be read.
    package var ownRows: Int?
    /// The number of rows of the entity and its subentities; nil if the table cannot be read.
    package var allRows: Int?
    /// Z_MAX of the entity's row in Z_PRIMARYKEY; for a root entity, the last key that was given to a row.
    package let lastKey: Int
    /// The entity's version hash in the metadata.
    package let hash: Data?
  }

  package let fileSize: Int
  package let logSize: Int
  package let journalMode: String
  package let pageSize: Int
  package let pageCount: Int
  package let freePages: Int
  package let autoVacuum: Int
  package let externalFiles: Int
  package let externalBytes: Int
  /// The entities in the order of their numbers.
  package let entities: [Entity]
  /// The number of history transactions; nil if the store keeps no history.
  package let historyTransactions: Int?
  package let historyChanges: Int?
  /// The tables that neither the framework nor the model knows; empty without a model.
  package let unknownTables: [String]
}

extension InspectedStore {
  /// Collects the facts. To count rows, SQLite reads each table once.
  /// - Parameter progress: called with the name of a root entity, its number from 1, and how many there are.
  package func facts(progress: (String, Int, Int) -> Void = { _, _, _ in }) throws -> StoreFacts {
    let files = externalFiles()
    return StoreFacts(
      fileSize: Self.size(path), logSize: Self.size(path + "-wal"),
      journalMode: try journalMode(),
      pageSize: try integer("PRAGMA page_size"), pageCount: try integer("PRAGMA page_count"),
      freePages: try integer("PRAGMA freelist_count"), autoVacuum: try integer("PRAGMA auto_vacuum"),
      externalFiles: files.count, externalBytes: files.values.reduce(0, +),
      entities: try entityFacts(progress),
      historyTransactions: hasHistory ? try integer("SELECT COUNT(*) FROM ATRANSACTION") : nil,
      historyChanges: hasHistory && hasTable("ACHANGE") ? try integer("SELECT COUNT(*) FROM ACHANGE") : nil,
      unknownTables: try unknownTables())
  }

  /// Whether the store keeps a history.
  package var hasHistory: Bool { hasTable("ATRANSACTION") }

  /// Returns the journal mode that the file is in: wal or delete.
  package func journalMode() throws -> String { try StoreFileHeader.isInLogMode(path) ? "wal" : "delete" }

  /// Returns the sizes of the files of external values, by name.
  func externalFiles() -> [String: Int] {
    let files = ([external] + external.strayed).compactMap { try? $0.open() }.flatMap { folder in
      ((try? folder.names()) ?? []).compactMap { name -> (String, Int)? in
        guard let status = try? folder.status(name), status.st_mode & S_IFMT == S_IFREG else { return nil }
        return (name, Int(status.st_size))
      }
    }
    return Dictionary(files, uniquingKeysWith: { $1 })
  }

  /// The keys of the metadata that frameworks write.
  package static let ownMetadataKeys: Set<String> = [
    NSStoreTypeKey, NSStoreUUIDKey, NSStoreModelVersionHashesKey, NSStoreModelVersionIdentifiersKey,
    "NSStoreModelVersionHashesVersion", "NSStoreModelVersionHashesDigest", NSPersistentStoreModelVersionChecksumKey,
    "NSPersistenceFrameworkVersion", "NSPersistenceMaximumFrameworkVersion", "_NSAutoVacuumLevel",
  ]

  private static func size(_ path: String) -> Int {
    (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber)?.intValue ?? 0
  }

  private func integer(_ sql: String) throws -> Int { Int(try connection.integer(sql) ?? 0) }

  private func entityFacts(_ progress: (String, Int, Int) -> Void) throws -> [StoreFacts.Entity] {
    guard hasTable("Z_PRIMARYKEY") else { return [] }
    let listed = try connection.rows("SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY ORDER BY Z_ENT")
      .map { row -> (Int, String, Int, Int) in
        func number(_ column: Int) -> Int { row[column].flatMap { Int($0) } ?? 0 }
        return (number(0), currentName(of: number(0), row[1]), number(2), number(3))
      }
      .filter { $0.0 < Self.firstHistoryNumber }
    let parents = Dictionary(listed.map { ($0.0, $0.2) }, uniquingKeysWith: { first, _ in first })
    let names = Dictionary(listed.map { ($0.0, $0.1) }, uniquingKeysWith: { first, _ in first })
    let hashes = metadata[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]
    var counts: [Int: Int] = [:]
    let roots = listed.filter { $0.2 == 0 }
    for (index, root) in roots.enumerated() {
      // Without a model, the name of the table follows from the name of the entity.
      let table = schema?.entity(number: root.0)?.tableName ?? "Z" + root.1.uppercased()
      progress(root.1, index + 1, roots.count)
      guard hasColumn("Z_ENT", in: table) else { continue }
      counts[root.0] = 0
      for row in try connection.rows("SELECT Z_ENT, COUNT(*) FROM \(table.quotedName) GROUP BY Z_ENT") {
        counts[Int(row[0] ?? "") ?? 0] = Int(row[1] ?? "")
      }
    }
    /// Returns the numbers of the entity and its superentities. The numbers come from the file, so they may form a circle.
    func line(_ number: Int) -> [Int] {
      var line = [number]
      while let parent = parents[line[line.count - 1]], parent != 0, !line.contains(parent) { line.append(parent) }
      return line
    }
    return listed.map { number, name, parent, last in
      let isCounted = counts[line(number).last ?? number] != nil
      let members = listed.filter { line($0.0).contains(number) }.map { counts[$0.0] ?? 0 }
      return StoreFacts.Entity(
        name: name, superentity: names[parent], isAbstract: schema?.entity(named: name)?.entity.isAbstract,
        ownRows: isCounted ? counts[number] ?? 0 : nil, allRows: isCounted ? members.reduce(0, +) : nil, lastKey: last,
        hash: hashes[name])
    }
  }

  /// Returns the name of an entity in the model; without a model, the name in the file. Apple's migration leaves the old name
  /// there when it renames an entity.
  private func currentName(of number: Int, _ stored: String?) -> String {
    schema?.entity(number: number)?.name ?? stored ?? ""
  }

  /// The number at which the numbers of the history's own entities begin.
  static let firstHistoryNumber = 16000

  private func unknownTables() throws -> [String] {
    guard let schema else { return [] }
    let known = schema.tables.flatMap { [$0.name] + $0.joinTables.map(\.name) } + Self.ownTables
    let names = Set(known.map { $0.lowercased() })
    return try tableNames().filter { !names.contains($0.lowercased()) }
  }

  static let ownTables = [
    "Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE", "ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING",
  ]
}

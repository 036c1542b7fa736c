import Foundation

/// Values in files of their own: rows name files that are there, and all files are named.
struct ExternalFilesCheck: StoreCheck {
  let schema: SQLModel

  let title = "external files"

  func run(on store: InspectedStore, _ report: (StoreProblem) -> Void) throws {
    let files = store.externalFiles()
    var named: Set<String> = []
    for table in schema.tables {
      for entity in table.entities(of: schema) {
        for case .attribute(let attribute) in entity.ownColumns
        where attribute.attribute.allowsExternalBinaryDataStorage
          && attribute.attribute.attributeType == .binaryDataAttributeType
          && store.hasColumn(attribute.columnName, in: table.name)
        {
          try check(attribute, entity, table, files, &named, store, report)
        }
      }
    }
    let orphans = files.keys.filter { !named.contains($0) }.sorted()
    if !orphans.isEmpty {
      report(
        StoreProblem(
          .orphanExternalFile, .warning, at: store.external.folder, "there are files that no row names",
          count: orphans.count, examples: Array(orphans.prefix(InspectedStore.exampleLimit))))
    }
  }

  private func check(
    _ attribute: SQLAttribute, _ entity: SQLEntity, _ table: SQLTable, _ files: [String: Int],
    _ named: inout Set<String>, _ store: InspectedStore, _ report: (StoreProblem) -> Void
  ) throws {
    let column = "t.\(attribute.columnName.quotedName)"
    let place = "\(entity.name).\(attribute.keyPath)"
    let rows = "SELECT t.Z_ENT, t.Z_PK FROM \(table.name.quotedName) t WHERE"
    // The first byte tells where the value is: 1 in the row, 2 in a file of the name that follows.
    let wrong = "typeof(\(column)) = 'blob' AND substr(\(column), 1, 1) NOT IN (x'01', x'02')"
    let count = try store.connection.integer("SELECT COUNT(*) FROM \(table.name.quotedName) t WHERE \(wrong)") ?? 0
    if count > 0 {
      report(
        StoreProblem(
          .externalReference, at: place, "\(attribute.columnName) holds values that do not say where they are",
          count: Int(count), examples: try store.examples("\(rows) \(wrong)")))
    }
    var bad: [String] = []
    var missing: [String] = []
    let statement = try store.connection.statement(
      "SELECT t.Z_ENT, t.Z_PK, \(column) FROM \(table.name.quotedName) t "
        + "WHERE substr(\(column), 1, 1) = x'02' AND typeof(\(column)) = 'blob'")
    statement.begin()
    defer { statement.reset() }
    while try statement.step() {
      let object = "\(schema.entity(number: Int(statement.int(0)))?.name ?? entity.name)/p\(statement.int(1))"
      guard let name = statement.data(2).flatMap(Self.fileName) else {
        bad.append(object)
        continue
      }
      named.insert(name)
      if files[name] == nil { missing.append("\(object): \(name)") }
    }
    func tell(_ kind: StoreProblem.Kind, _ found: [String], _ text: String) {
      guard !found.isEmpty else { return }
      report(
        StoreProblem(
          kind, at: place, text, count: found.count, examples: Array(found.prefix(InspectedStore.exampleLimit))))
    }
    tell(.externalReference, bad, "\(attribute.columnName) holds references that name no file")
    tell(.missingExternalFile, missing, "the files of values are missing in \(store.external.folder)")
  }

  /// The name in a reference: after the byte 2 a UUID and a zero.
  static func fileName(_ reference: Data) -> String? {
    let name = String(decoding: reference.dropFirst().prefix { $0 != 0 }, as: UTF8.self)
    return UUID(uuidString: name) != nil ? name : nil
  }
}

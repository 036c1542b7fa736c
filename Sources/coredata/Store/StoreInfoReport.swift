import CommandSupport
import Foundation
import OpenCoreData

/// What is known of a store, in the shape of the JSON.
struct StoreInfoReport: Encodable {
  struct Entity: Encodable {
    var name: String
    var superentity: String?
    var isAbstract: Bool?
    /// Rows of the entity itself.
    var rows: Int?
    /// Rows with those of subentities.
    var allRows: Int?
    /// The last key handed out; of roots alone.
    var lastKey: Int?
    var hash: String?
  }

  struct External: Encodable {
    var files: Int
    var bytes: Int
  }

  struct Detail: Encodable {
    var title: String
    var text: String
  }

  struct History: Encodable {
    var transactions: Int
    var changes: Int?
  }

  var file: String
  var kind: String
  /// Nil for a store in a server, which gives it in its details.
  var size: Int?
  var uuid: String?
  var frameworkVersion: Int?
  var versionIdentifiers: [String] = []
  /// Where the model comes from: the store's copy, or --model.
  var model: String?
  var entities: [Entity] = []
  var journalMode: String?
  var logSize: Int?
  var pageSize: Int?
  var pages: Int?
  var freePages: Int?
  var autoVacuum: String?
  var externalData: External?
  /// Nil where no history is kept.
  var history: History?
  var customMetadataKeys: [String] = []
  var unknownTables: [String] = []
  /// What a server says of a store there.
  var details: [Detail]?

  /// What the metadata of a store in one file or a server say; with a model, objects are counted.
  /// - Parameter isKept: whether the model is the copy that the store keeps.
  init(
    _ url: URL, kind: StoreKind, metadata: [String: Any], model: NSManagedObjectModel?, isKept: Bool = false
  ) throws {
    file = url.shown
    self.kind = kind.rawValue
    size =
      url.isFileURL
      ? (try? FileManager.default.attributesOfItem(atPath: url.path)[.size] as? NSNumber)?.intValue ?? 0 : nil
    take(metadata)
    let hashes = metadata[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]
    entities = hashes.sorted { $0.key < $1.key }.map { Entity(name: $0.key, hash: Self.text(ofHash: $0.value)) }
    guard let model else { return }
    self.model = isKept ? "copy in the store" : "given"
    let coordinator = try kind.coordinator(of: url, model: model)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    entities = try context.performAndWait {
      try entities.map { entity in
        guard let description = model.entitiesByName[entity.name] else { return entity }
        var entity = entity
        entity.superentity = description.superentity?.name
        entity.isAbstract = description.isAbstract ? true : nil
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: entity.name)
        entity.allRows = try context.count(for: request)
        request.includesSubentities = false
        entity.rows = try context.count(for: request)
        return entity
      }
    }
    details = try (coordinator.persistentStores.first as? any ServedStore)?.description().map(Detail.init)
  }

  private mutating func take(_ metadata: [String: Any]) {
    uuid = metadata[NSStoreUUIDKey] as? String
    frameworkVersion = (metadata["NSPersistenceFrameworkVersion"] as? NSNumber)?.intValue
    versionIdentifiers =
      (metadata[NSStoreModelVersionIdentifiersKey] as? [Any] ?? []).map { "\($0)" }.filter { !$0.isEmpty }
    customMetadataKeys = metadata.keys.filter { !InspectedStore.ownMetadataKeys.contains($0) }.sorted()
  }

  private static func text(ofHash hash: Data) -> String { hash.map { String(format: "%02x", $0) }.joined() }

  init(_ store: InspectedStore, _ facts: StoreFacts) {
    file = store.url.path
    kind = StoreKind.sqlite.rawValue
    size = facts.fileSize
    take(store.metadata)
    model = store.model == nil ? nil : store.model === store.cachedModel ? "copy in the store" : "given"
    entities = facts.entities.map { entity in
      Entity(
        name: entity.name, superentity: entity.superentity, isAbstract: entity.isAbstract, rows: entity.ownRows,
        allRows: entity.allRows, lastKey: entity.superentity == nil ? entity.lastKey : nil,
        hash: entity.hash.map(Self.text(ofHash:)))
    }
    journalMode = facts.journalMode
    logSize = facts.logSize
    pageSize = facts.pageSize
    pages = facts.pageCount
    freePages = facts.freePages
    autoVacuum = [0: "none", 1: "full", 2: "incremental"][facts.autoVacuum]
    externalData = External(files: facts.externalFiles, bytes: facts.externalBytes)
    history = facts.historyTransactions.map { History(transactions: $0, changes: facts.historyChanges) }
    unknownTables = facts.unknownTables
  }
}

extension StoreInfoReport {
  /// For people.
  var text: String {
    var lines: [(String, String)] = [("Kind", kind), ("UUID", uuid ?? "none")]
    if let frameworkVersion { lines.append(("Framework version", String(frameworkVersion))) }
    lines.append(
      (
        "Model",
        (model ?? "none in the store")
          + (versionIdentifiers.isEmpty ? "" : ", version \(versionIdentifiers.joined(separator: ", "))")
      ))
    if let size {
      lines.append(("Size", "\(size) bytes" + (logSize.map { $0 > 0 ? ", and \($0) in the log" : "" } ?? "")))
    }
    lines += details?.map { ($0.title, $0.text) } ?? []
    if kind == StoreKind.sqlite.rawValue { lines += database }
    if !customMetadataKeys.isEmpty { lines.append(("Own metadata", customMetadataKeys.joined(separator: ", "))) }
    if !unknownTables.isEmpty { lines.append(("Unknown tables", unknownTables.joined(separator: ", "))) }
    let width = lines.map(\.0.count).max() ?? 0
    let facts = lines.map { $0.0.padding(toLength: width + 2, withPad: " ", startingAt: 0) + $0.1 }
    return ([file, ""] + facts + ["", table.text]).joined(separator: "\n")
  }

  /// What only a database has.
  private var database: [(String, String)] {
    var lines = [("Journal", journalMode ?? "")]
    lines.append(
      (
        "Pages",
        "\(pages ?? 0) of \(pageSize ?? 0) bytes, \(freePages ?? 0) free, auto vacuum \(autoVacuum ?? "unknown")"
      ))
    if let externalData, externalData.files > 0 {
      lines.append(("External data", "\(externalData.files) files, \(externalData.bytes) bytes"))
    }
    let recorded = history.map { "\($0.transactions) transactions, \($0.changes ?? 0) changes" }
    lines.append(("History", recorded ?? "off"))
    return lines
  }

  private var table: TextTable {
    var table = TextTable(
      columns: [
        .init("Entity"), .init("Rows", .right), .init("With subentities", .right), .init("Last key", .right),
        .init("Version hash"),
      ])
    table.rows = entities.map { entity in
      [
        entity.name + (entity.superentity.map { ": \($0)" } ?? "") + (entity.isAbstract == true ? " (abstract)" : ""),
        entity.rows.map(String.init) ?? "?", entity.allRows.map(String.init) ?? "?",
        entity.lastKey.map(String.init) ?? "", entity.hash.map { String($0.prefix(12)) } ?? "",
      ]
    }
    return table
  }
}

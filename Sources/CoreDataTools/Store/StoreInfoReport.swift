import CommandSupport
import Foundation
import OpenCoreData

/// Information about a store, with the keys of the JSON.
public struct StoreInfoReport: Encodable, Sendable {
  /// An entity.
  public struct Entity: Encodable, Sendable {
    /// The entity's name.
    public var name: String
    /// The entity that this entity inherits from.
    public var superentity: String?
    /// Whether the entity is abstract; nil without a model.
    public var isAbstract: Bool?
    /// The number of rows of the entity itself.
    public var rows: Int?
    /// The number of rows of the entity and its subentities.
    public var allRows: Int?
    /// The last key that was assigned; only for root entities.
    public var lastKey: Int?
    /// The entity's version hash, as hexadecimal digits.
    public var hash: String?
  }

  /// Values in files of their own.
  public struct External: Encodable, Sendable {
    /// The number of files.
    public var files: Int
    /// The size of the files, in bytes.
    public var bytes: Int
  }

  /// A detail that only a server reports.
  public struct Detail: Encodable, Sendable {
    /// The title of the detail.
    public var title: String
    /// The text of the detail.
    public var text: String
  }

  /// The size of the history.
  public struct History: Encodable, Sendable {
    /// The number of transactions.
    public var transactions: Int
    /// The number of changes; nil if the table is missing.
    public var changes: Int?
  }

  /// The store's path, or its URL without a password.
  public var file: String
  /// The kind of the store: SQLite, XML, binary, PostgreSQL or web service.
  public var kind: String
  /// Nil for a store in a server, whose details contain the size.
  public var size: Int?
  /// The store's UUID.
  public var uuid: String?
  /// The version of the framework that wrote the store.
  public var frameworkVersion: Int?
  /// The identifiers of the model's version.
  public var versionIdentifiers: [String] = []
  /// The source of the model: the store's copy, or --model.
  public var model: String?
  /// The entities, in the order of the store.
  public var entities: [Entity] = []
  /// wal or delete; nil for a store that is not in SQLite's format.
  public var journalMode: String?
  /// The size of the write-ahead log, in bytes.
  public var logSize: Int?
  /// The size of a page, in bytes.
  public var pageSize: Int?
  /// The number of pages of the file.
  public var pages: Int?
  /// The number of free pages.
  public var freePages: Int?
  /// none, full or incremental.
  public var autoVacuum: String?
  /// Values in files of their own.
  public var externalData: External?
  /// The size of the history; nil if the store keeps no history.
  public var history: History?
  /// Keys of the metadata that an application has put there.
  public var customMetadataKeys: [String] = []
  /// Tables that neither the framework nor the model knows.
  public var unknownTables: [String] = []
  /// The details of a store in a server.
  public var details: [Detail]?

  /// Takes the information from the metadata of a store in one file or a server. With a model, objects are counted; without
  /// one, those of each entity itself in a store in one file.
  /// - Parameters:
  ///   - isKept: whether the model is the copy that the store keeps.
  ///   - copy: a copy of the store in SQLite, in which objects are counted instead.
  package init(
    _ url: URL, kind: StoreKind, metadata: [String: Any], model: NSManagedObjectModel?, isKept: Bool = false,
    copy: URL? = nil
  ) throws {
    file = url.shown
    self.kind = kind.rawValue
    size =
      url.isFileURL
      ? (try? FileManager.default.attributesOfItem(atPath: url.path)[.size] as? NSNumber)?.intValue ?? 0 : nil
    take(metadata)
    let hashes = metadata[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]
    entities = hashes.sorted { $0.key < $1.key }.map { Entity(name: $0.key, hash: Self.text(ofHash: $0.value)) }
    guard let model else {
      guard let counts = try kind.objectCounts(url) else { return }
      for index in entities.indices { entities[index].rows = counts[entities[index].name] }
      return
    }
    self.model = isKept ? "copy in the store" : "given"
    let counted = copy.map { (kind: StoreKind.sqlite, url: $0) } ?? (kind: kind, url: url)
    let coordinator = try counted.kind.coordinator(of: counted.url, model: model)
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

  package init(_ store: InspectedStore, _ facts: StoreFacts) {
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

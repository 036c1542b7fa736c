import CSQLite
import Foundation
import OpenCocoaFoundation
internal import VersionHashing

/// The contents of Z_METADATA: who the store is and which model wrote it.
struct StoreMetadata {
  var identifier: String
  /// The property list, without the UUID.
  var properties: [String: Any]

  /// The version that this framework says it is, in Apple's count: the format of 2024.
  static let frameworkVersion = 1414

  /// What a new store of `model` says.
  init(model: NSManagedObjectModel, entities: [NSEntityDescription]) {
    identifier = UUID().uuidString
    properties = ["_NSAutoVacuumLevel": "2", NSStoreTypeKey: NSSQLiteStoreType]
    describe(model, entities: entities)
  }

  init(identifier: String, properties: [String: Any]) {
    self.identifier = identifier
    self.properties = properties
  }

  /// Writes down which model the store is of.
  mutating func describe(_ model: NSManagedObjectModel, entities: [NSEntityDescription]) {
    let hashes = Self.hashes(of: entities)
    properties[NSStoreModelVersionHashesKey] = hashes
    properties["NSStoreModelVersionHashesVersion"] = 3
    properties["NSStoreModelVersionHashesDigest"] = VersionHash.digest(of: hashes)
    properties[NSPersistentStoreModelVersionChecksumKey] = model.versionChecksum
    let identifiers = model.versionIdentifiers.compactMap { $0 as? String }.sorted()
    properties[NSStoreModelVersionIdentifiersKey] = identifiers.isEmpty ? [""] : identifiers
    properties["NSPersistenceFrameworkVersion"] = Self.frameworkVersion
  }

  static func hashes(of entities: [NSEntityDescription]) -> [String: Data] {
    Dictionary(entities.map { ($0.name ?? "", $0.versionHash) }, uniquingKeysWith: { $1 })
  }

  /// Reads Z_METADATA; nil when the database has no such table.
  init?(_ connection: SQLiteConnection) throws {
    // A view of that name could keep the engine busy without end.
    guard
      try connection.integer("SELECT COUNT(*) FROM sqlite_master WHERE type = 'table' AND name = 'Z_METADATA'") == 1
    else { return nil }
    let statement = try connection.statement("SELECT Z_UUID, Z_PLIST FROM Z_METADATA")
    statement.begin()
    defer { statement.reset() }
    guard try statement.step() else { return nil }
    identifier = statement.string(0) ?? ""
    do {
      properties = try PropertyListReader.dictionary(statement.data(1) ?? Data())
    } catch {
      let reason = (error as? ArchiveProblem)?.reason ?? "\(error)"
      throw NSError(
        coreData: CocoaError.Code.fileReadCorruptFile.rawValue,
        "The metadata of the store at \(connection.path) are damaged: Z_PLIST in Z_METADATA is no property list. \(reason)",
        [NSFilePathErrorKey: connection.path])
    }
  }

  /// Replaces the row of Z_METADATA.
  func write(_ connection: SQLiteConnection) throws {
    let list = try PropertyListSerialization.data(fromPropertyList: properties, format: .binary, options: 0)
    let statement = try connection.statement(
      "INSERT OR REPLACE INTO Z_METADATA (Z_VERSION, Z_UUID, Z_PLIST) VALUES(1, ?, ?)")
    statement.bind(identifier, at: 1)
    statement.bind(list, at: 2)
    try statement.run()
  }

  /// As `NSPersistentStore.metadata` shows it.
  var dictionary: [String: Any] { properties.merging([NSStoreUUIDKey: identifier]) { $1 } }

  /// The entities whose version hashes differ, or that only one side has; sorted.
  func differences(from entities: [NSEntityDescription]) -> [String] {
    let stored = properties[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]
    let wanted = Self.hashes(of: entities)
    return Set(stored.keys).union(wanted.keys).filter { stored[$0] != wanted[$0] }.sorted()
  }
}

import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// Stores that Apple's framework wrote, handled as files.
@Suite(.enabled(if: Corpus.isThere && Shell.hasSQLite, "the corpus of stores or sqlite3 is not there"))
struct AppleFileTests {
  static let stores = Corpus.files(".sqlite", below: "stores").map(\.path)

  private func copy(_ path: String) throws -> URL {
    let url = try TestModel.temporaryFile("Copy.sqlite")
    for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: path + suffix) {
      try FileManager.default.copyItem(atPath: path + suffix, toPath: url.path + suffix)
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: url.path + suffix)
    }
    return url
  }

  private func dump(_ url: URL) throws -> [String] {
    try Shell.sql(url, ".dump").filter { !$0.hasPrefix("INSERT INTO Z_METADATA ") }
  }

  @Test(arguments: stores) func metadataModelBackupAndReplacement(path: String) throws {
    let url = try copy(path)
    let folder = url.deletingLastPathComponent()
    let before = try FolderContents(folder)
    let old = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: url)
    let model = try? NSManagedObjectModel(contentsOfStoreAt: url)
    #expect(try FolderContents(folder) == before)
    let backup = try TestModel.temporaryFile("Backup.sqlite"), place = try FileStore.make(["old"])
    try NSPersistentStoreCoordinator.backUpPersistentStore(at: url, to: backup)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model ?? TestModel.library())
    try coordinator.replacePersistentStore(at: place, withPersistentStoreFrom: url, type: .sqlite)
    let content = try dump(url)
    #expect(try dump(backup) == content)
    #expect(try dump(place) == content)
    try NSPersistentStoreCoordinator.setMetadata(["mine": 1], type: .sqlite, at: backup)
    let new = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: backup)
    #expect(new["mine"] as? Int == 1)
    #expect(try dump(backup) == content)
    for key in StoreMetadata.frameworkKeys.union([NSStoreUUIDKey]) {
      #expect(NSArray(object: new[key] ?? 0) == NSArray(object: old[key] ?? 0), "\(key)")
    }
    if model != nil {
      let store = try coordinator.addPersistentStore(
        type: .sqlite, at: backup, options: [NSReadOnlyPersistentStoreOption: true])
      #expect(store.identifier == old[NSStoreUUIDKey] as? String)
      try coordinator.remove(store)
    }
    try coordinator.destroyPersistentStore(at: url, type: .sqlite)
    #expect(try FileStore.files(beside: url) == [url.lastPathComponent])
    #expect(try Shell.sql(url, "SELECT COUNT(*) FROM sqlite_master") == ["0"])
  }

  /// Object by object into a new store: as many objects of each entity, with the same values.
  @Test(arguments: stores) func objectByObject(path: String) throws {
    let url = try copy(path)
    guard let model = try? NSManagedObjectModel(contentsOfStoreAt: url) else { return }
    let source = try FileStore.open(url, nil, model), place = try TestModel.temporaryFile()
    let target = try FileStore.open(place, nil, model)
    try StoreObjectCopy(from: source.persistentStores[0], to: target.persistentStores[0], source).run()
    let store = try #require(source.persistentStores[0] as? SQLiteStore)
    for entity in store.schema.entities where !entity.entity.isAbstract {
      let columns = entity.columns.filter { entity.entity.attributesByName[$0.propertyName] != nil }.flatMap(\.names)
      // The references of values in files of their own are others, and derived values may be out of date.
      let compared = columns.filter { column in
        let name = entity.columns.first { $0.names.contains(column) }?.propertyName ?? ""
        let attribute = entity.entity.attributesByName[name]
        return attribute?.allowsExternalBinaryDataStorage == false && !(attribute is NSDerivedAttributeDescription)
      }
      let keys = entity.columns.filter { entity.entity.relationshipsByName[$0.propertyName] != nil }.flatMap(\.names)
      let values = (compared.map { "quote(\($0))" } + keys.map { "\($0) IS NULL" } + ["1"]).joined(separator: ", ")
      let query = "SELECT \(values) FROM \(entity.tableName) WHERE Z_ENT = \(entity.number)"
      let rows = try Shell.sql(url, query).sorted(), copies = try Shell.sql(place, query).sorted()
      #expect(rows == copies, "\(entity.name)")
    }
    for table in store.schema.tables.flatMap(\.joinTables) {
      let query = "SELECT COUNT(*) FROM \(table.name)"
      #expect(try Shell.sql(url, query) == Shell.sql(place, query), "\(table.name)")
    }
    #expect(try Shell.sql(place, "PRAGMA integrity_check") == ["ok"])
  }
}

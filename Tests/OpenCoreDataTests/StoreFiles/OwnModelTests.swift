import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// Stores opened with nothing but themselves.
@Suite(.enabled(if: Shell.hasSQLite, "sqlite3 is not there")) struct OwnModelTests {
  @Test func aStoreOpensWithTheModelInItsCache() throws {
    let url = try FileStore.make(["A", "B"])
    let before = try FolderContents(url.deletingLastPathComponent())
    let model = try NSManagedObjectModel(contentsOfStoreAt: url)
    #expect(model.entityVersionHashesByName == TestModel.library().entityVersionHashesByName)
    #expect(try FolderContents(url.deletingLastPathComponent()) == before)
    let coordinator = try FileStore.open(url, nil, model)
    try FileStore.add(["C"], to: coordinator)
    #expect(try FileStore.names(coordinator) == ["A", "B", "C"])
  }

  @Test func aStoreWithoutACacheSaysSo() throws {
    let url = try FileStore.make(["A"])
    try Shell.sql(url, "DROP TABLE Z_MODELCACHE")
    #expect(
      FileStore.code { _ = try NSManagedObjectModel(contentsOfStoreAt: url) } == NSMigrationMissingSourceModelError)
    try Shell.sql(url, "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB); INSERT INTO Z_MODELCACHE VALUES (x'0102030405')")
    #expect(FileStore.code { _ = try NSManagedObjectModel(contentsOfStoreAt: url) } == 259)
    let none = url.deletingLastPathComponent().appendingPathComponent("none")
    #expect(FileStore.code { _ = try NSManagedObjectModel(contentsOfStoreAt: none) } == 260)
  }
}

import CoreData
import Foundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// Ordered relationships of stores that Apple's framework wrote.
@Suite(.enabled(if: Corpus.isThere, "the corpus of stores is not there"))
struct OrderedCorpusTests {
  static let stores = Corpus.files(".sqlite", below: "stores").map(\.path).filter {
    Corpus.blob("SELECT 1 FROM sqlite_master WHERE sql LIKE '%Z_FOK_%'", in: URL(fileURLWithPath: $0)) != nil
  }

  @Test(arguments: stores) func theOrderIsTheFilesOrder(path: String) throws {
    let url = try TestModel.temporaryFile("Copy.sqlite")
    for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: path + suffix) {
      try FileManager.default.copyItem(atPath: path + suffix, toPath: url.path + suffix)
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: url.path + suffix)
    }
    let raw = RawStore(url: url)
    try raw.rows("PRAGMA wal_checkpoint(TRUNCATE)")
    let cache = try #require(Corpus.blob("SELECT Z_CONTENT FROM Z_MODELCACHE", in: url))
    let coordinator = try TestModel.coordinator(try ModelCache.decode(cache), url: url)
    let store = try #require(coordinator.persistentStores.first as? SQLiteStore)
    try coordinator.inContext { context in
      var count = 0
      for entity in store.schema.entities where !entity.entity.isAbstract {
        for (name, toMany) in entity.toManys where toMany.relationship.isOrdered {
          let (table, owner, member, order): (String, String, String, String?) =
            switch toMany.storage {
            case .foreignKey(let table, let column, _, let order): (table, column, "Z_PK", order)
            case .join(let table, let source, let member, let order, _): (table, source, member, order)
            }
          let column = try #require(order)
          for object in try context.all(entity.name) {
            let keys = try raw.rows(
              "SELECT \(member) FROM \(table) WHERE \(owner) = \(object.key) ORDER BY \(column), \(member)")
            #expect(object.list(name).map { "\($0.key)" } == keys)
            count += keys.count
          }
          let gaps = try raw.rows("SELECT DISTINCT \(column) FROM \(table) WHERE \(column) NOTNULL ORDER BY 1 LIMIT 4")
          print("\(url.lastPathComponent) \(entity.name).\(name): \(gaps)")
        }
      }
      print("\(path): \(count) members of ordered relationships")
    }
  }
}

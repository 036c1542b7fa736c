import Foundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// Models of public repositories, read from source and compiled, and the hashes that Apple's tools state for them.
@Suite(.enabled(if: Corpus.isThere, "the corpus is not there")) struct CorpusModelTests {
  @Test func everySourceModelLoads() {
    let files = Corpus.files("/contents")
    #expect(files.count > 200)
    for file in files {
      #expect(throws: Never.self, "\(file.path)") {
        let model = try NSManagedObjectModel(validatingContentsOf: file.deletingLastPathComponent())
        #expect(try #require(model.copy() as? NSManagedObjectModel) == model)
        let cached = try ModelCache.decode(ModelCache.encode(model))
        cached.freeze()
        #expect(cached.entityVersionHashesByName == model.entityVersionHashesByName)
        #expect(cached == model, "\(file.path)")
      }
    }
  }

  @Test func compiledModelsHaveTheHashesOfTheirVersionInfo() throws {
    var compared = 0
    for info in Corpus.files("VersionInfo.plist") {
      let folder = info.deletingLastPathComponent()
      let list = try PropertyListSerialization.propertyList(from: Data(contentsOf: info), format: nil) as? [String: Any]
      for (version, hashes) in list?["NSManagedObjectModel_VersionHashes"] as? [String: [String: Data]] ?? [:] {
        let file = folder.appendingPathComponent(version + ".mom")
        guard FileManager.default.fileExists(atPath: file.path) else { continue }
        let model = try NSManagedObjectModel(validatingContentsOf: file)
        #expect(model.entityVersionHashesByName == hashes, "\(file.path)")
        compared += 1
      }
      #expect(NSManagedObjectModel(contentsOf: folder) != nil, "\(folder.path)")
    }
    #expect(compared > 8)
  }

  @Test func sourceModelsHaveTheHashesOfTheirCompiledForm() throws {
    var compared = 0
    for info in Corpus.files("VersionInfo.plist", below: "compiled-models") {
      let list = try PropertyListSerialization.propertyList(from: Data(contentsOf: info), format: nil) as? [String: Any]
      let repository = info.pathComponents.prefix(while: { $0 != "compiled-models" }).count + 1
      let folder = info.pathComponents[repository]
      for (version, hashes) in list?["NSManagedObjectModel_VersionHashes"] as? [String: [String: Data]] ?? [:] {
        for source in Corpus.files("/\(version).xcdatamodel/contents", below: "compiled-models/\(folder)") {
          let model = try NSManagedObjectModel(validatingContentsOf: source.deletingLastPathComponent())
          guard Set(model.entitiesByName.keys) == Set(hashes.keys) else { continue }
          #expect(model.entityVersionHashesByName == hashes, "\(source.path)")
          compared += 1
        }
      }
    }
    #expect(compared > 5)
  }

  @Test func cachesOfStoresHaveTheHashesOfTheirMetadata() throws {
    var compared = 0
    for store in Corpus.files(".sqlite", below: "stores") {
      let metadata = Corpus.metadata(of: store)
      guard let cache = Corpus.blob("SELECT Z_CONTENT FROM Z_MODELCACHE", in: store),
        let hashes = metadata["NSStoreModelVersionHashes"] as? [String: Data]
      else { continue }
      let model = try ModelCache.decode(cache)
      model.freeze()
      // A store for a configuration states its entities only.
      #expect(model.entityVersionHashesByName.filter { hashes[$0.key] != nil } == hashes, "\(store.path)")
      if hashes.count == model.entities.count {
        if let digest = metadata["NSStoreModelVersionHashesDigest"] as? String {
          #expect(model.versionHashesDigest == digest, "\(store.path)")
        }
        if let checksum = metadata["NSStoreModelVersionChecksumKey"] as? String {
          #expect(model.versionChecksum == checksum, "\(store.path)")
        }
      }
      let again = try ModelCache.decode(ModelCache.encode(model))
      #expect(again == model, "\(store.path)")
      compared += 1
    }
    #expect(compared > 20)
  }

  @Test func entitiesAreNumberedAsInStores() throws {
    var compared = 0
    for store in Corpus.files(".sqlite", below: "stores") {
      guard let cache = Corpus.blob("SELECT Z_CONTENT FROM Z_MODELCACHE", in: store),
        let stored = Corpus.blob(
          """
          SELECT CAST(group_concat(Z_ENT || ' ' || Z_NAME || ' ' || Z_SUPER, char(10)) AS BLOB)
          FROM (SELECT * FROM Z_PRIMARYKEY WHERE Z_ENT < 16000 ORDER BY Z_ENT)
          """, in: store)
      else { continue }
      let model = try ModelCache.decode(cache)
      model.freeze()
      let numbered = model.entitiesInStoreOrder.map {
        "\($0.storeNumber) \($0.name ?? "") \($0.superentity?.storeNumber ?? 0)"
      }
      let lines = String(decoding: stored, as: UTF8.self).components(separatedBy: "\n")
      // Migration that renames an entity leaves the old name in the table: one store of the corpus has it.
      if lines.contains("3 ExpensiveSportCar 2"), model.entitiesByName["ExpensiveSportCar"] == nil { continue }
      #expect(numbered == lines, "\(store.path)")
      compared += 1
    }
    #expect(compared > 20)
  }
}

import CoreData
import Foundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// Models and stores of applications: whatever can be inferred is migrated in place, and verified value by value.
@Suite(.enabled(if: Corpus.isThere, "the corpus is not there"))
struct InPlaceCorpusTests {
  @Test func neighbouringVersionsAreMigrated() throws {
    var (pairs, inferred, migrated, refused) = (0, 0, 0, 0)
    for pair in try CorpusVersions.pairs() {
      let migration = InferredMigration(from: pair.before, to: pair.after)
      guard migration.entities.contains(where: { $0.source != nil && $0.destination != nil }),
        pair.before.entityVersionHashesByName != pair.after.entityVersionHashesByName
      else { continue }
      pairs += 1
      let fatal = migration.obstacles.filter { $0.kind == .noInferredMapping }
      if let reason = fatal.first {
        print("not inferred, \(pair.name): \(reason.text)")
        continue
      }
      inferred += 1
      do {
        let store = try MigratedStore.make(pair.before, pair.after, objects: 2, seed: UInt64(pairs))
        defer { try? FileManager.default.removeItem(at: store.url.deletingLastPathComponent()) }
        try store.migrateAndCheck(pair.name)
        migrated += 1
      } catch let error as NSError where [134110, 134111].contains(error.code) {
        refused += 1
        print("refused for its rows, \(pair.name): \(error.localizedDescription)")
        #expect(!migration.obstacles.isEmpty || !migration.conditions.isEmpty, "\(pair.name): \(error)")
      } catch {
        Issue.record("\(pair.name): \(error)")
      }
    }
    print(
      "\(pairs) pairs of different versions: \(inferred) inferred, \(migrated) migrated, \(refused) refused for their rows"
    )
    #expect(migrated > 20)
  }

  /// Real stores, from the version that they are of to the newest that there is.
  @Test func storesAreMigratedToTheNewestVersion() throws {
    let pairs = try CorpusVersions.pairs()
    var count = 0
    for store in CorpusStore.all {
      guard let source = try? store.model(from: .file), source.configuration == nil else { continue }
      source.model.freeze()
      let hashes = source.model.entityVersionHashesByName
      // The last of the versions that begin with the store's.
      var newest: NSManagedObjectModel?
      for pair in pairs where pair.before.entityVersionHashesByName == hashes || newest === pair.before {
        newest = pair.after
      }
      guard let newest, newest.entityVersionHashesByName != hashes else { continue }
      let migration = InferredMigration(from: source.model, to: newest)
      let copy = try store.copy()
      let migrated = MigratedStore(url: copy, migration: migration)
      if let reason = migration.obstacles.first(where: { $0.kind == .noInferredMapping }) {
        print("not inferred, \(store): \(reason.text)")
        continue
      }
      do {
        let before = try StoreImage(copy, source.model)
        let (errors, offsets) = (try StoreCheck.errors(copy, model: source.model), try migrated.offsets())
        try migrated.inPlace().run()
        let after = try StoreImage(copy, newest)
        #expect(try after.differences(from: before, by: migration, offsets: offsets) == [], "\(store)")
        let found = try StoreCheck.errors(copy).subtracting(errors)
        #expect(found.isEmpty, "\(store)")
        count += 1
        print("migrated \(store): \(before.objects.count) objects")
      } catch let error as NSError where [134110, 134111].contains(error.code) {
        print("refused for its rows, \(store): \(error.localizedDescription)")
      } catch {
        Issue.record("\(store): \(error)")
      }
    }
    print("\(count) stores were migrated")
    #expect(count > 0)
  }
}

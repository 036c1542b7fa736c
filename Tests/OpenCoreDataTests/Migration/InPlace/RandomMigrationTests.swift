import CoreData
import Foundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// Random models, random edits and generated objects: in place the same comes out as the inference says value by value,
/// in the layout of a new store.
@Suite struct RandomMigrationTests {
  @Test func everyValueIsAsInferred() throws {
    var (migrated, refused, failed) = (0, 0, 0)
    for seed in RandomSeeds.seeds(40) {
      var random = SeededGenerator(seed: seed)
      var versions = RandomModels(using: &random)
      var text = versions.text
      for step in 0..<2 {
        versions.edit(&random)
        let before = try MigrationFixture.model(text), after = try MigrationFixture.model(versions.text)
        let name = "SEED=\(seed), step \(step)\n\(text)\n>\n\(versions.text)"
        text = versions.text
        guard before.entityVersionHashesByName != after.entityVersionHashesByName else { continue }
        let store = try MigratedStore.make(before, after, objects: Int(seed % 7), seed: seed)
        if store.migration.obstacles.contains(where: { $0.kind == .noInferredMapping }) {
          refused += 1
          continue
        }
        do {
          try store.migrateAndCheck(name)
          migrated += 1
        } catch let error as NSError where error.code == NSMigrationError {
          failed += 1
          // What stands in the way is in the models or among the values.
          let converts = store.migration.entities.flatMap(\.attributes).contains { $0.changes.contains(.converted) }
          let mayFail =
            converts || !store.migration.conditions.isEmpty || !store.migration.obstacles.isEmpty
            || store.migration.entities.flatMap(\.relationships).contains { $0.changes == .added }
          #expect(mayFail, "\(error)\n\(name)")
          #expect(try StoreCheck.errors(store.url, model: before).isEmpty, "\(name)")
        } catch {
          Issue.record("\(error)\n\(name)")
        }
        try? FileManager.default.removeItem(at: store.url.deletingLastPathComponent())
      }
    }
    print("\(migrated) random versions migrated, \(refused) not inferred, \(failed) refused for their rows")
    #expect(migrated > 20)
  }
}

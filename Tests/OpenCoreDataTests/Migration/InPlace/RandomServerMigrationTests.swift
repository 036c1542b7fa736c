#if PostgreSQL
  import CoreData
  import CoreDataPostgreSQL
  import Foundation
  import PostgreSQLTestServer
  import Testing

  @_spi(Store) @testable import OpenCoreData

  /// Random models, random edits and generated objects in a server: in place the same comes out as the inference says value
  /// by value, in the layout of a new store.
  @Suite(.enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed"))
  struct RandomServerMigrationTests {
    @Test func everyValueIsAsInferred() throws {
      var (migrated, refused, failed) = (0, 0, 0)
      for seed in RandomSeeds.seeds(20) {
        var random = SeededGenerator(seed: seed)
        var versions = RandomModels(using: &random)
        let before = try MigrationFixture.model(versions.text)
        let text = versions.text
        versions.edit(&random)
        let after = try MigrationFixture.model(versions.text)
        let name = "SEED=\(seed)\n\(text)\n>\n\(versions.text)"
        guard before.entityVersionHashesByName != after.entityVersionHashesByName else { continue }
        for model in [before, after] { model.prepare() }
        let migration = InferredMigration(from: before, to: after)
        if migration.obstacles.contains(where: { $0.kind == .noInferredMapping }) {
          refused += 1
          continue
        }
        let url = try TestPlace.new()
        do {
          try StoreFiller.make(
            before, at: url, type: NSPostgreSQLStoreType, objects: Int(seed % 7), random: &random)
          let place = MigrationPlace(url, NSPostgreSQLStoreType, nil)
          let old = try StoreImage(url, before, type: NSPostgreSQLStoreType)
          do {
            let plan = try migrate(place, migration)
            migrated += 1
            let offsets = plan.entities.compactMap { entity in entity.source.map { ($0, entity.keyOffset) } }
            let new = try StoreImage(url, after, type: NSPostgreSQLStoreType)
            let differences = try new.differences(
              from: old, by: migration, offsets: Dictionary(offsets, uniquingKeysWith: { first, _ in first }))
            #expect(differences.isEmpty, "\(differences.prefix(8).joined(separator: "\n"))\n\(name)\n\(plan)")
            try #expect(layoutDifferences(url, after) == [], "\(name)\n\(plan)")
          } catch let error as NSError where error.code == NSMigrationError {
            failed += 1
            let converts = migration.entities.flatMap(\.attributes).contains { $0.changes.contains(.converted) }
            let mayFail =
              converts || !migration.conditions.isEmpty || !migration.obstacles.isEmpty
              || migration.entities.flatMap(\.relationships).contains { $0.changes == .added }
            #expect(mayFail, "\(error)\n\(name)")
            let same = try StoreImage(url, before, type: NSPostgreSQLStoreType)
            #expect(same.objects.count == old.objects.count, "\(name)")
          }
        } catch {
          Issue.record("\(error)\n\(name)")
        }
      }
      print(
        "\(migrated) random versions migrated in a server, \(refused) not inferred, \(failed) refused for their rows")
      #expect(migrated > 5)
    }

    private func migrate(_ place: MigrationPlace, _ migration: InferredMigration) throws -> MigrationPlan {
      let step = ProgressiveMigration.Step(
        source: migration.source, destination: migration.destination, means: .inferred)
      guard case .altered(let plan) = try step.run(.init(place.url, type: place.type)) else {
        Issue.record("it was not altered")
        return MigrationPlan()
      }
      return plan
    }

    /// Where the layout is not that of a new store of the new version.
    private func layoutDifferences(_ url: URL, _ model: NSManagedObjectModel) throws -> [String] {
      let fresh = try TestPlace.new()
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
      let store = try coordinator.addPersistentStore(
        ofType: NSPostgreSQLStoreType, configurationName: nil, at: fresh)
      try coordinator.remove(store)
      let (found, wanted) = (try layout(url), try layout(fresh))
      return found.subtracting(wanted).map { "too much: \($0)" }.sorted()
        + wanted.subtracting(found).map { "missing: \($0)" }.sorted()
    }

    private func layout(_ url: URL) throws -> Set<String> {
      let server = try PostgreSQLServer.shared.get()
      let schema = URLComponents(url: url, resolvingAgainstBaseURL: true)?.queryItems?.first?.value ?? ""
      let values = try server.values(
        of: """
          WITH s AS (SELECT oid FROM pg_namespace WHERE nspname = '\(schema)') \
          SELECT c.relname || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod) || ' ' || a.attnotnull \
          || ' ' || a.atthasdef || ' ' || a.attcollation || ' ' || a.attstorage::text FROM pg_attribute a \
          JOIN pg_class c ON c.oid = a.attrelid, s WHERE c.relnamespace = s.oid AND c.relkind = 'r' AND a.attnum > 0 \
          AND NOT a.attisdropped UNION ALL \
          SELECT regexp_replace(indexdef, 'INDEX \\S+ ON|_new[^ ]*_pkey', 'ON') FROM pg_indexes WHERE schemaname = '\(schema)' \
          UNION ALL SELECT relname || ' sequence' FROM pg_class, s WHERE relnamespace = s.oid AND relkind = 'S' \
          UNION ALL SELECT number || ' ' || name || ' ' || root FROM "\(schema)"."_entity"
          """)
      return Set(values.map { $0.replacingOccurrences(of: schema, with: "") })
    }
  }
#endif

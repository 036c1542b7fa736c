#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLTestServer
  import Testing

  @testable import CoreDataPostgreSQL
  @_spi(Store) @testable import OpenCoreData

  /// Stores that take the place of others, in one database and from one to another.
  @Suite(.enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed"))
  struct ServerReplacingTests {
    private let model: NSManagedObjectModel

    init() throws {
      model = try MigratedPair.model(
        "<entity name='Note'><attribute name='title' optional='YES' attributeType='String'/></entity>")
    }

    private func add(_ titles: [String], _ url: URL) throws {
      try MigratedPair.open(url, model) { coordinator, store in
        store.metadata["color"] = titles.first
        try MigratedPair.inContext(coordinator) { context in
          for title in titles {
            NSEntityDescription.insertNewObject(forEntityName: "Note", into: context).setValue(title, forKey: "title")
          }
          try context.save()
        }
      }
    }

    private func titles(_ url: URL) throws -> [String] {
      try MigratedPair.open(url, model) { coordinator, _ in
        try MigratedPair.inContext(coordinator) { context in
          try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note"))
            .compactMap { $0.value(forKey: "title") as? String }.sorted()
        }
      }
    }

    private func metadata(_ url: URL) throws -> [String: Any] {
      try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .postgreSQL, at: url)
    }

    private func replace(_ url: URL, with source: URL, _ coordinator: NSPersistentStoreCoordinator? = nil) throws {
      try (coordinator ?? NSPersistentStoreCoordinator(managedObjectModel: model))
        .replacePersistentStore(at: url, withPersistentStoreFrom: source, type: .postgreSQL)
    }

    private func expectSame(_ url: URL, _ source: URL) throws {
      #expect(try MigratedPair.difference(source, url, model) == nil)
      let (old, new) = (try metadata(source), try metadata(url))
      #expect(new[NSStoreUUIDKey] as? String == old[NSStoreUUIDKey] as? String)
      #expect(new["color"] as? String == old["color"] as? String)
      // Each goes on for itself, with keys of its own.
      let known = try titles(source)
      try add(["new"], url)
      #expect(try titles(source) == known)
      #expect(try titles(url) == (known + ["new"]).sorted())
    }

    @Test func aStoreInTheSameDatabase() throws {
      let (url, source) = (try TestPlace.new(), try TestPlace.new())
      try add(["a"], url)
      try add(["b", "c"], source)
      try replace(url, with: source)
      try expectSame(url, source)
      // Nothing is left of the schema in which the copy was made.
      let options = try ServerOptions(nil, url)
      let other = try OpenedServer.connect(OpenedServer.place(url, options), options)
      defer { other.close() }
      let schema = ServerPlace.schema(of: url) ?? ""
      #expect(
        try other.texts("SELECT nspname::text FROM pg_namespace WHERE starts_with(nspname::text, '\(schema)')")
          == [schema])
    }

    @Test func whereThereIsNone() throws {
      let (url, source) = (try TestPlace.new(), try TestPlace.new())
      #expect(throws: (any Error).self) { try replace(url, with: source) }
      try add(["b", "c"], source)
      try replace(url, with: source)
      try expectSame(url, source)
      try replace(source, with: source)
      #expect(try titles(source) == ["b", "c"])
    }

    @Test func fromAnotherDatabase() throws {
      let server = try PostgreSQLServer.shared.get()
      let name = "d" + UUID().uuidString.prefix(8).lowercased()
      _ = try server.values(of: "CREATE DATABASE \(name)")
      let source = server.url(database: name), url = try TestPlace.new()
      try add(["b", "c"], source)
      try replace(url, with: source)
      try expectSame(url, source)
      try add(["d"], source)
      try replace(url, with: source)
      try expectSame(url, source)
    }

    @Test func whoeverHasItOpen() throws {
      let (url, source) = (try TestPlace.new(), try TestPlace.new())
      try add(["a"], url)
      try add(["b"], source)
      try MigratedPair.open(url, model) { coordinator, _ in
        try MigratedPair.open(url, model) { other, _ in
          try replace(url, with: source, coordinator)
          for coordinator in [coordinator, other] {
            let error = #expect(throws: (any Error).self) {
              try MigratedPair.inContext(coordinator) { context in
                NSEntityDescription.insertNewObject(forEntityName: "Note", into: context).setValue("x", forKey: "title")
                try context.save()
              }
            }
            #expect((error as NSError?)?.code == NSPersistentStoreIncompatibleVersionHashError)
            // Objects of the store that is there now may have the keys of those that this one has in its cache.
            let reading = #expect(throws: NSError.self) {
              try MigratedPair.inContext(coordinator) { context in
                try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note")).count
              }
            }
            #expect(reading?.code == NSPersistentStoreIncompatibleVersionHashError)
          }
        }
      }
      #expect(try titles(url) == ["b"])
    }
  }
#endif

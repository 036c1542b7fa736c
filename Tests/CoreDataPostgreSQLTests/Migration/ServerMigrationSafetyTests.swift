#if PostgreSQL
  import CoreData
  import Foundation
  import OpenCocoaFoundation
  import PostgreSQLTestServer
  import Synchronization
  import Testing

  @testable import CoreDataPostgreSQL
  @_spi(Store) @testable import OpenCoreData

  /// Migrations that others are in the way of, or that fail, and stores that others have open.
  @Suite(.enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed"))
  struct ServerMigrationSafetyTests {
    static let old = "<entity name='Note'><attribute name='title' optional='YES' attributeType='String'/></entity>"
    static let new = """
      <entity name='Memo' elementID='Note'><attribute name='text' elementID='title' optional='YES' attributeType='String'/>
        <attribute name='stars' attributeType='Integer 16' defaultValueString='3'/></entity>
      """

    private func store(_ titles: [String]) throws -> (url: URL, model: NSManagedObjectModel) {
      let url = try TestPlace.new(), model = try MigratedPair.model(Self.old)
      try MigratedPair.open(url, model) { coordinator, store in
        store.metadata["color"] = "red"
        try MigratedPair.inContext(coordinator) { context in
          for title in titles { insert(title, "Note", context) }
          try context.save()
        }
      }
      return (url, model)
    }

    private func insert(_ title: String, _ entity: String, _ context: NSManagedObjectContext) {
      NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
        .setValue(title, forKey: entity == "Note" ? "title" : "text")
    }

    private func titles(_ url: URL, _ model: NSManagedObjectModel, _ entity: String, _ key: String) throws -> [String] {
      try MigratedPair.open(url, model) { coordinator, _ in
        try MigratedPair.inContext(coordinator) { context in
          try context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity))
            .compactMap { $0.value(forKey: key) as? String }.sorted()
        }
      }
    }

    private func code(_ body: () throws -> Void) -> Int {
      do { try body() } catch { return (error as NSError).code }
      return 0
    }

    private func raw(_ url: URL) throws -> ServerConnection {
      try OpenedServer.connect(OpenedServer.place(url, ServerOptions(nil, url)), ServerOptions(nil, url))
    }

    @Test func withoutOptionsItIsRefused() throws {
      let (url, model) = try store(["a"])
      let next = try MigratedPair.model(Self.new)
      #expect(code { try MigratedPair.open(url, next) { _, _ in } } == NSPersistentStoreIncompatibleVersionHashError)
      #expect(try titles(url, model, "Note", "title") == ["a"])
    }

    @Test func metadataStay() throws {
      let (url, _) = try store(["a", "b"])
      let next = try MigratedPair.model(Self.new)
      try MigratedPair.open(url, next, MigratedPair.automatic) { _, store in
        #expect(store.metadata["color"] as? String == "red")
      }
      #expect(try titles(url, next, "Memo", "text") == ["a", "b"])
    }

    @Test func savesOfWhoeverHasTheOldStoreOpenAreRefused() throws {
      let (url, model) = try store(["a"])
      let next = try MigratedPair.model(Self.new)
      try MigratedPair.open(url, model) { coordinator, _ in
        try MigratedPair.inContext(coordinator) { context in
          insert("b", "Note", context)
          try MigratedPair.open(url, next, MigratedPair.automatic) { _, _ in }
          #expect(code { try context.save() } == NSPersistentStoreIncompatibleVersionHashError)
        }
      }
      #expect(try titles(url, next, "Memo", "text") == ["a"])
    }

    /// Its entities have other numbers by then, so that rows would be read as what they are not.
    @Test func fetchesOfWhoeverHasTheOldStoreOpenAreRefused() throws {
      let (url, model) = try store(["a"])
      let next = try MigratedPair.model(Self.new)
      try MigratedPair.open(url, model) { coordinator, _ in
        try MigratedPair.inContext(coordinator) { context in
          let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
          #expect(try context.fetch(request).count == 1)
          try MigratedPair.open(url, next, MigratedPair.automatic) { _, _ in }
          #expect(code { _ = try context.fetch(request) } == NSPersistentStoreIncompatibleVersionHashError)
          #expect(code { _ = try context.count(for: request) } == NSPersistentStoreIncompatibleVersionHashError)
        }
      }
    }

    @Test func anotherProcessWasFaster() throws {
      let (url, model) = try store(["a"])
      let next = try MigratedPair.model(Self.new)
      try MigratedPair.open(url, next, MigratedPair.automatic) { _, _ in }
      // As if it had seen the old version before.
      let place = MigrationPlace(url, NSPostgreSQLStoreType, nil)
      model.prepare()
      try ServerStore.migrate(place, by: InferredMigration(from: model, to: next), configuration: nil, defers: false)
      #expect(try titles(url, next, "Memo", "text") == ["a"])
    }

    @Test func twoProgramsAtOnce() throws {
      let (url, _) = try store(["a"])
      let codes = Mutex<[Int]>([])
      DispatchQueue.concurrentPerform(iterations: 4) { _ in
        let result = code {
          try MigratedPair.open(url, MigratedPair.model(Self.new), MigratedPair.automatic) { _, _ in }
        }
        codes.withLock { $0.append(result) }
      }
      #expect(codes.withLock { $0 } == [0, 0, 0, 0])
      let other = try raw(url)
      defer { other.close() }
      // One of them has done it.
      #expect(try other.integer("SELECT version FROM \"_store\"") == 2)
      #expect(try titles(url, MigratedPair.model(Self.new), "Memo", "text") == ["a"])
    }

    @Test func inStages() throws {
      let (url, model) = try store(["a"])
      let next = try MigratedPair.model(Self.new)
      let last = try MigratedPair.model(
        Self.new.replacingOccurrences(
          of: "<attribute name='stars'",
          with: "<attribute name='more' optional='YES' attributeType='String'/><attribute name='stars'"))
      let references = [model, next, last].map {
        NSManagedObjectModelReference(model: $0, versionChecksum: $0.versionChecksum)
      }
      let stage = NSCustomMigrationStage(migratingFrom: references[0], to: references[1])
      stage.didMigrateHandler = { manager, _ in
        let context = try #require(manager.container).newBackgroundContext()
        try context.performAndWait {
          let memo = try #require(try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Memo")).first)
          memo.setValue("a by a stage", forKey: "text")
          try context.save()
        }
      }
      let stages = [
        stage, NSLightweightMigrationStage([next.versionChecksum, last.versionChecksum]),
      ]
      let options = MigratedPair.automatic.merging([
        NSPersistentStoreStagedMigrationManagerOptionKey: NSStagedMigrationManager(stages)
      ]) { $1 }
      try MigratedPair.open(url, last, options) { _, _ in }
      #expect(try titles(url, last, "Memo", "text") == ["a by a stage"])
    }

    @Test func aLockThatStays() throws {
      let (url, model) = try store(["a"])
      let next = try MigratedPair.model(Self.new)
      let other = try raw(url)
      defer { other.close() }
      try other.execute(["BEGIN", "LOCK TABLE \"Note\" IN ACCESS SHARE MODE"])
      let options = MigratedPair.automatic.merging([NSPersistentStoreTimeoutOption: 1]) { $1 }
      #expect(code { try MigratedPair.open(url, next, options) { _, _ in } } == NSPersistentStoreTimeoutError)
      #expect(try titles(url, model, "Note", "title") == ["a"])
      // It goes away while the migration tries again.
      Thread.detachNewThread {
        Thread.sleep(forTimeInterval: 0.3)
        try? other.execute("ROLLBACK")
      }
      try MigratedPair.open(url, next, MigratedPair.automatic) { _, _ in }
      #expect(try titles(url, next, "Memo", "text") == ["a"])
    }

    @Test func rowsThatCannotBe() throws {
      let (url, model) = try store(["a", "a"])
      let unique = try MigratedPair.model(
        "<entity name='Note'><attribute name='title' optional='YES' attributeType='String'/><attribute name='more' "
          + "optional='YES' attributeType='String'/><uniquenessConstraints><uniquenessConstraint>"
          + "<constraint value='title'/></uniquenessConstraint></uniquenessConstraints></entity>")
      let options = MigratedPair.automatic
      #expect(code { try MigratedPair.open(url, unique, options) { _, _ in } } == NSMigrationConstraintViolationError)
      let mandatory = try MigratedPair.model(
        "<entity name='Note'><attribute name='title' optional='YES' attributeType='String'/>"
          + "<attribute name='more' attributeType='String'/></entity>")
      #expect(code { try MigratedPair.open(url, mandatory, options) { _, _ in } } == NSMigrationError)
      let other = try MigratedPair.model(
        "<entity name='Note'><attribute name='title' optional='YES' attributeType='Date'/></entity>")
      #expect(code { try MigratedPair.open(url, other, options) { _, _ in } } == NSMigrationMissingMappingModelError)
      #expect(try titles(url, model, "Note", "title") == ["a", "a"])
    }

    @Test func whatFailsInTheMiddleLeavesAllAsItWas() throws {
      let (url, model) = try store(["a"])
      let next = try MigratedPair.model(Self.new)
      let other = try raw(url)
      defer { other.close() }
      // In the way of the table's new name, which is given late.
      try other.execute("CREATE TABLE \"Memo\"(x integer)")
      #expect(code { try MigratedPair.open(url, next, MigratedPair.automatic) { _, _ in } } == NSMigrationError)
      #expect(try titles(url, model, "Note", "title") == ["a"])
      try other.execute("DROP TABLE \"Memo\"")
      try MigratedPair.open(url, next, MigratedPair.automatic) { _, _ in }
      #expect(try titles(url, next, "Memo", "text") == ["a"])
    }

    @Test func byAMappingModel() throws {
      let (url, model) = try store(["a", "b"])
      let next = try MigratedPair.model(Self.new)
      for known in [model, next] { known.prepare() }
      let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: model, destinationModel: next)
      let attribute = mapping.entityMappings[0].attributeMappings?.first { $0.name == "text" }
      attribute?.valueExpression = NSExpression(format: "uppercase:($source.title)")
      for entity in mapping.entityMappings { entity.mappingType = .transformEntityMappingType }
      let place = MigrationPlace(url, NSPostgreSQLStoreType, nil)
      try StoreRemaking.migrate(place, from: model, to: next, mapping)
      #expect(try titles(url, next, "Memo", "text") == ["A", "B"])
      // Nothing of the schema in which it was made is left.
      let other = try raw(url)
      defer { other.close() }
      let schema = ServerPlace.schema(of: url) ?? ""
      #expect(
        try other.texts("SELECT nspname::text FROM pg_namespace WHERE starts_with(nspname::text, '\(schema)')") == [
          schema
        ])
    }

    @Test func destroying() throws {
      let (url, _) = try store(["a"])
      let other = try raw(url)
      defer { other.close() }
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel())
      let schema = ServerPlace.schema(of: url) ?? ""
      let count = "SELECT count(*) FROM pg_namespace WHERE nspname = '\(schema)'"
      try other.execute("CREATE TABLE others(x integer)")
      try coordinator.destroyPersistentStore(at: url, type: .postgreSQL)
      #expect(try SchemaTables.objects(in: schema, other) == ["others"])
      try other.execute("DROP TABLE others")
      try coordinator.destroyPersistentStore(at: url, type: .postgreSQL)
      #expect(try other.integer(count) == 0)
    }
  }
#endif

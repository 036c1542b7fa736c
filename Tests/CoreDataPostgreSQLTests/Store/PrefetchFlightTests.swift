#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLTestServer
  import Testing

  @_spi(Store) @testable import CoreDataPostgreSQL
  @_spi(Store) @testable import OpenCoreData

  /// Tests that a fetch reads the prefetched objects in the same flight if the server is far away.
  @Suite(.needsServer) struct PrefetchFlightTests {
    private static let model = """
      <entity name='Author'><attribute name='name' optional='YES' attributeType='String'/>
        <relationship name='books' optional='YES' toMany='YES' destinationEntity='Book' inverseName='author' inverseEntity='Book'/>
        <relationship name='home' optional='YES' maxCount='1' destinationEntity='Town' inverseName='people' inverseEntity='Town'/>
      </entity>
      <entity name='Book'><attribute name='title' optional='YES' attributeType='String'/>
        <relationship name='author' optional='YES' maxCount='1' destinationEntity='Author' inverseName='books' inverseEntity='Author'/>
        <relationship name='tags' optional='YES' toMany='YES' destinationEntity='Tag' inverseName='books' inverseEntity='Tag'/>
        <relationship name='chapters' optional='YES' toMany='YES' ordered='YES' destinationEntity='Chapter' inverseName='book' inverseEntity='Chapter'/>
      </entity>
      <entity name='Novel' parentEntity='Book'><attribute name='plot' optional='YES' attributeType='String'/></entity>
      <entity name='Tag'><attribute name='label' optional='YES' attributeType='String'/>
        <relationship name='books' optional='YES' toMany='YES' destinationEntity='Book' inverseName='tags' inverseEntity='Book'/></entity>
      <entity name='Chapter'><attribute name='text' optional='YES' attributeType='String'/>
        <relationship name='book' optional='YES' maxCount='1' destinationEntity='Book' inverseName='chapters' inverseEntity='Book'/></entity>
      <entity name='Town'><attribute name='name' optional='YES' attributeType='String'/>
        <relationship name='people' optional='YES' toMany='YES' destinationEntity='Author' inverseName='home' inverseEntity='Author'/></entity>
      """

    /// A coordinator with a new context, for a server that is far away or near.
    private struct Program {
      let context: NSManagedObjectContext
      let store: ServerStore

      init(_ url: URL, isFar: Bool) throws {
        let coordinator = NSPersistentStoreCoordinator(
          managedObjectModel: try MigratedPair.model(PrefetchFlightTests.model))
        let store = try coordinator.addPersistentStore(
          ofType: NSPostgreSQLStoreType, configurationName: nil, at: url, options: nil)
        self.store = try #require(store as? ServerStore)
        self.store.sendNothingByItself()
        self.store.roundTrip.store(isFar ? 5_000 : 0, ordering: .relaxed)
        context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
      }

      func fetch(_ paths: [String], _ predicate: NSPredicate? = nil) throws -> [NSManagedObject] {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Author")
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        request.relationshipKeyPathsForPrefetching = paths
        request.predicate = predicate
        return try context.fetch(request)
      }
    }

    /// Fills a store with authors and books, some of which are novels. Some books share tags, some objects have no relationships.
    private func fill(_ url: URL, _ random: inout SeededGenerator) throws {
      let program = try Program(url, isFar: false)
      try program.context.performAndWait {
        func make(_ entity: String, _ key: String, _ value: String) -> NSManagedObject {
          let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: program.context)
          object.setValue(value, forKey: key)
          return object
        }
        let tags = (0..<6).map { make("Tag", "label", "t\($0)") },
          towns = (0..<3).map { make("Town", "name", "w\($0)") }
        for author in 0..<8 {
          let writer = make("Author", "name", "a\(author)")
          if Int.random(in: 0..<4, using: &random) > 0 {
            writer.setValue(towns.randomElement(using: &random), forKey: "home")
          }
          for book in 0..<Int.random(in: 0...4, using: &random) {
            let work = make(Bool.random(using: &random) ? "Book" : "Novel", "title", "b\(author).\(book)")
            work.setValue(writer, forKey: "author")
            work.setValue(Set(tags.filter { _ in Bool.random(using: &random) }), forKey: "tags")
            let chapters = (0..<Int.random(in: 0...3, using: &random)).map { make("Chapter", "text", "c\($0)") }
            work.setValue(NSOrderedSet(array: chapters.shuffled(using: &random)), forKey: "chapters")
          }
        }
        try program.context.save()
      }
    }

    /// Returns all objects that are reached along a path, as text.
    private func walk(_ object: NSManagedObject, _ path: ArraySlice<String>) -> String {
      let own = ["name", "title", "label", "text"].first { object.entity.attributesByName[$0] != nil }
      let title = own.flatMap { object.value(forKey: $0) as? String } ?? "?"
      guard let key = path.first else { return title }
      let members: [NSManagedObject]
      switch object.value(forKey: key) {
      case let set as Set<NSManagedObject>: members = Array(set)
      case let set as NSOrderedSet:
        return "\(title)(\(set.compactMap { $0 as? NSManagedObject }.map { walk($0, path.dropFirst()) }))"
      case let one as NSManagedObject: members = [one]
      default: members = []
      }
      return "\(title)(\(members.map { walk($0, path.dropFirst()) }.sorted()))"
    }

    private static let allPaths = [
      "books", "home", "books.tags", "books.chapters", "home.people", "books.tags.books", "home.people.books.chapters",
    ]

    @Test(arguments: 1...12) func aTreeIsReadInOneFlight(_ seed: Int) throws {
      var random = SeededGenerator(seed: UInt64(seed))
      let url = try TestPlace.new()
      try fill(url, &random)
      let paths = Self.allPaths.filter { _ in Bool.random(using: &random) }
      let predicate = Bool.random(using: &random) ? NSPredicate(format: "books.@count > 1 OR home.name == 'w1'") : nil
      let proxy = try MessageProxy(to: PostgreSQLServer.shared.get().socket)
      let query = try #require(URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems)
      let near = try Program(url, isFar: false)
      let far = try Program(proxy.url().appending(queryItems: query), isFar: true)
      let walked = try [near, far].map { program in
        try program.context.performAndWait {
          proxy.resetCounts()
          let authors = try program.fetch(paths, predicate)
          #expect(proxy.roundTripCount <= 1, "seed \(seed): \(paths)")
          proxy.resetCounts()
          // All objects have been read: a walk along the paths sends nothing to the server.
          let texts = authors.map { author in
            paths.map { walk(author, $0.split(separator: ".").map(String.init)[...]) }
          }
          #expect(proxy.roundTripCount == 0, "seed \(seed): \(paths)")
          return texts
        }
      }
      #expect(walked[0] == walked[1], "seed \(seed): \(paths)")
    }

    /// Rows that are in the row cache are not read again.
    @Test func rowsOfTheCacheAreNotReadAgain() throws {
      var random = SeededGenerator(seed: 99)
      let url = try TestPlace.new()
      try fill(url, &random)
      let far = try Program(url, isFar: true)
      try far.context.performAndWait {
        _ = try far.fetch(["books.tags"])
        far.context.reset()
        let (_, statements) = try StatementLog.collectStatements { try far.fetch(["books.tags"]) }
        #expect(statements.count { $0.text.contains("\"label\"") || $0.text.contains("\"plot\"") } == 0)
      }
    }

    @Test func aPathThatIsNoneIsAnError() throws {
      let far = try Program(TestPlace.new(), isFar: true)
      far.context.performAndWait {
        let error = #expect(throws: NSError.self) { _ = try far.fetch(["books.nothing"]) }
        #expect(error?.localizedDescription.contains("books.nothing") == true)
      }
    }
  }
#endif

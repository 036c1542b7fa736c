#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLTestServer
  import Testing

  @testable import CoreDataPostgreSQL

  /// Others hold a lock for longer than a request may wait.
  @Suite("Locks of others", .needsServer)
  struct LockedTests {
    /// Long enough for the connections and statements of a busy machine, which must not take longer.
    private static let limit = 5.0

    private struct Locked {
      let world: BatchWorld
      let other: BareConnection

      init(_ options: [String: Any]) throws {
        world = try BatchWorld(BatchModels.graph(), options: options)
        other = try BareConnection(world.url)
        try world.context.performAndWait {
          world.context.make("Node", ["tag": "one", "age": 0])
          try world.context.save()
        }
      }

      /// Saves a change while a statement's locks are held; then without.
      func save(beside statement: String) throws -> NSError? {
        let context = world.context
        return try context.performAndWait {
          let node = try #require(try context.all("Node").first)
          node.setValue(1, forKey: "age")
          try other.run("BEGIN", statement)
          let error = #expect(throws: NSError.self) { try context.save() }
          #expect(context.hasChanges)
          try other.run("ROLLBACK")
          try context.save()
          #expect(try world.texts("SELECT age::text FROM \"Node\"") == ["1"])
          return error
        }
      }
    }

    private static let row = "UPDATE \"Node\" SET age = 7"
    private static let table = "LOCK TABLE \"Node\" IN ACCESS EXCLUSIVE MODE"

    @Test(arguments: [row, table]) func aSaveDoesNotWaitPastTheTimeout(statement: String) throws {
      let locked = try Locked([NSPersistentStoreTimeoutOption: Self.limit])
      let error = try locked.save(beside: statement)
      #expect(error?.domain == NSCocoaErrorDomain && error?.code == NSPersistentStoreTimeoutError)
      #expect(error?.localizedDescription.contains("kept a lock past the timeout") == true)
    }

    @Test(arguments: [row, table]) func theServerEndsAStatementThatTakesTooLong(statement: String) throws {
      let locked = try Locked([NSPostgreSQLStatementTimeoutOption: Self.limit])
      let error = try locked.save(beside: statement)
      #expect(error?.code == NSPersistentStoreTimeoutError)
      #expect(error?.localizedDescription.contains("has stopped the statement") == true)
    }

    @Test func aFetchDoesNotWaitPastTheTimeout() throws {
      let locked = try Locked([NSPersistentStoreTimeoutOption: Self.limit]), context = locked.world.context
      try locked.other.run("BEGIN", Self.table)
      try locked.world.inContext { context in
        let error = #expect(throws: NSError.self) { try context.all("Node") }
        #expect(error?.code == NSPersistentStoreTimeoutError)
        try locked.other.run("ROLLBACK")
        #expect(try context.all("Node").count == 1)
      }
      context.performAndWait { #expect(!context.hasChanges) }
    }

    /// Two programs that write the same objects in opposite order wait for each other; the server ends one of the saves, which
    /// is made again.
    @Test func deadlocksAreBegunAgain() throws {
      let place = try TestPlace.new()
      let worlds = try (0..<2).map { _ in try BatchWorld(BatchModels.graph(), at: place) }
      try worlds[0].inContext { context in
        for number in 0..<40 { context.make(number % 2 == 0 ? "Node" : "Box", ["tag": "\(number)"]) }
        try context.save()
      }
      let group = DispatchGroup()
      for (index, world) in worlds.enumerated() {
        group.enter()
        Thread.detachNewThread {
          defer { group.leave() }
          for round in 0..<20 {
            do {
              try world.inContext(NSMergePolicy.mergeByPropertyObjectTrump) { context in
                var objects = try ["Node", "Box"].flatMap { try context.all($0) }
                if index == 1 { objects.reverse() }
                for object in objects { object.setValue("\(index) \(round)", forKey: "tag") }
                try context.save()
              }
            } catch { Issue.record(error) }
          }
        }
      }
      group.wait()
      let tags = try ["Node", "Box"].flatMap { try worlds[0].texts("SELECT DISTINCT tag FROM \"\($0)\"") }
      #expect(Set(tags).count == 1 && tags.allSatisfy { $0.hasSuffix("19") }, "each save as a whole: \(tags)")
    }
  }
#endif

#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLTestServer
  import Synchronization
  import Testing

  @_spi(Store) @testable import CoreDataPostgreSQL
  @_spi(Store) @testable import OpenCoreData

  /// Contexts that merge by themselves what other programs have saved.
  @Suite(.serialized, .enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed"))
  struct RemoteMergeTests {
    private static var announcing: [AnyHashable: Any] {
      [NSPersistentStoreRemoteChangeNotificationPostOptionKey: true]
    }

    /// A program whose context merges.
    private func reader(_ url: URL, _ options: [AnyHashable: Any] = announcing) throws -> HistoryProgram {
      let reader = try HistoryProgram(url, options)
      reader.context.performAndWait { reader.context.automaticallyMergesChangesFromParent = true }
      return reader
    }

    /// The objects of a context, which are kept, by their texts as they are now.
    private func notes(_ program: HistoryProgram) throws -> [NSManagedObject] {
      try program.context.performAndWait { try program.context.fetch(NSFetchRequest(entityName: "Note")) }
    }

    private func text(_ object: NSManagedObject, _ program: HistoryProgram) -> String? {
      program.context.performAndWait { object.isDeleted ? nil : object.value(forKey: "text") as? String }
    }

    @Test(arguments: [nil, NSPostgreSQLConnectionPoolerOption]) func changesOfOthersCome(_ option: String?) throws {
      let url = try TestPlace.new()
      var options = Self.announcing
      if let option { options[option] = true }
      let writer = try HistoryProgram(url, nil), reader = try reader(url, options)
      let kept = try writer.save("a"), gone = try writer.save("b")
      let objects = try notes(reader)
      let first = try #require(objects.first { text($0, reader) == "a" })
      let second = try #require(objects.first { text($0, reader) == "b" })
      let inserted = Mutex<Int>(0)
      let observer = NotificationCenter.default.addObserver(
        forName: .NSManagedObjectContextObjectsDidChange, object: reader.context, queue: nil
      ) { notification in
        let new = (notification.userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObject>)?.count ?? 0
        inserted.withLock { $0 += new }
      }
      defer { NotificationCenter.default.removeObserver(observer) }
      try writer.change(kept, to: "c")
      Patience.wait(for: "the merge") { text(first, reader) == "c" }
      try writer.context.performAndWait {
        writer.context.delete(try writer.context.existingObject(with: gone))
        try writer.context.save()
      }
      Patience.wait(for: "the merge") {
        reader.context.performAndWait { second.managedObjectContext == nil || second.isDeleted }
      }
      try writer.save("d")
      Patience.wait(for: "the merge") { inserted.withLock { $0 } > 0 }
    }

    /// Changes of the context's own survive, and what its coordinator has saved is not merged a second time.
    @Test func ownChangesStayAndAreMergedOnce() throws {
      let url = try TestPlace.new()
      let writer = try HistoryProgram(url, nil), reader = try reader(url)
      let id = try writer.save("a")
      let object = try #require(try notes(reader).first)
      reader.context.performAndWait { object.setValue(5, forKey: "number") }
      try writer.change(id, to: "b")
      Patience.wait(for: "the merge") { text(object, reader) == "b" }
      reader.context.performAndWait { #expect(object.value(forKey: "number") as? Int == 5) }
      let merges = Mutex<Int>(0)
      let observer = NotificationCenter.default.addObserver(
        forName: .NSManagedObjectContextDidMergeChangesObjectIDs, object: reader.context, queue: nil
      ) { _ in merges.withLock { $0 += 1 } }
      defer { NotificationCenter.default.removeObserver(observer) }
      try reader.context.performAndWait { try reader.context.save() }
      try reader.save("own")
      // Its listener has looked by then.
      try writer.save("theirs")
      Patience.wait(for: "the merge") { merges.withLock { $0 } > 0 }
      #expect(merges.withLock { $0 } == 1)
    }

    @Test func tooManyChangesRefreshEverything() throws {
      let url = try TestPlace.new()
      let writer = try HistoryProgram(url, nil), reader = try reader(url)
      let id = try writer.save("a")
      let object = try #require(try notes(reader).first)
      #expect(text(object, reader) == "a")
      try writer.context.performAndWait {
        try writer.context.existingObject(with: id).setValue("b", forKey: "text")
        for number in 0..<10_001 {
          NSEntityDescription.insertNewObject(forEntityName: "Note", into: writer.context)
            .setValue("\(number)", forKey: "text")
        }
        try writer.context.save()
      }
      Patience.wait(for: "the merge") { text(object, reader) == "b" }
    }

    @Test func tokensAreDifferentAndTellWhoseTheyAre() {
      let mine = CommitTokens(), others = CommitTokens()
      let tokens = (0..<1000).map { _ in mine.next() } + (0..<1000).map { _ in others.next() }
      #expect(Set(tokens).count == 2000)
      #expect(tokens.prefix(1000).allSatisfy(mine.areOf) && !tokens.dropFirst(1000).contains(where: mine.areOf))
    }
  }
#endif

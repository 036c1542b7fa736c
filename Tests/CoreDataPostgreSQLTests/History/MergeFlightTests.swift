#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLTestServer
  import Testing

  @_spi(Store) @testable import CoreDataPostgreSQL
  @_spi(Store) @testable import OpenCoreData

  /// What saves and merges send.
  @Suite(.enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed"))
  struct MergeFlightTests {
    private func place(through proxy: MessageProxy) throws -> URL {
      let items = URLComponents(url: try TestPlace.new(), resolvingAgainstBaseURL: false)?.queryItems ?? []
      return proxy.url().appending(queryItems: items)
    }

    private func proxy() throws -> MessageProxy { try MessageProxy(to: PostgreSQLServer.shared.get().socket) }

    @Test(arguments: [false, true]) func aMergeReadsAllRowsTogether(areFetchedAsFaults: Bool) throws {
      let proxy = try proxy(), url = try place(through: proxy), count = 600
      let other = try HistoryProgram(url), program = try HistoryProgram(url)
      other.store.sendNothingByItself()
      program.store.sendNothingByItself()
      try other.context.performAndWait {
        for number in 0..<count {
          NSEntityDescription.insertNewObject(forEntityName: "Note", into: other.context).setValue(
            number, forKey: "number")
        }
        try other.context.save()
      }
      func notes(_ program: HistoryProgram) throws -> [NSManagedObject] {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
        request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
        request.returnsObjectsAsFaults = areFetchedAsFaults
        let notes = try program.context.fetch(request)
        // All have values, however they came by them.
        #expect(notes.map { $0.value(forKey: "number") as? Int } == Array(0..<count))
        return notes
      }
      try program.context.performAndWait {
        let kept = try notes(program), token = program.token
        try other.context.performAndWait {
          for note in try notes(other) { note.setValue("changed", forKey: "text") }
          try other.context.save()
        }
        proxy.resetCounts()
        for transaction in try program.history(after: token) {
          program.context.mergeChanges(fromContextDidSave: transaction.objectIDNotification())
        }
        #expect(kept.allSatisfy { $0.value(forKey: "text") as? String == "changed" })
        // The history, the transaction that the merge begins, the rows.
        #expect(proxy.roundTripCount <= 4)
      }
    }

    /// The server logs each of its warnings, and one for each save would fill the log.
    @Test func savesAreAnsweredWithoutWarnings() throws {
      let proxy = try proxy(), program = try HistoryProgram(try place(through: proxy))
      for number in 0..<3 { try program.save("\(number)") }
      #expect(proxy.counts(of: .server)["N"] == nil)
    }

    /// What a save has written is told to others on whichever connection is free, also one that an error has left in a transaction.
    @Test func savesAreAnnouncedAfterOneThatFailed() throws {
      let store = try HistoryProgram(TestPlace.new()).store
      #expect(throws: ServerError.self) {
        try store.withWriter { connection in
          var flight = Flight()
          flight.add(ServerStatement("BEGIN", isWork: false))
          flight.add(ServerStatement("SELECT 1 / 0", isWork: false))
          try connection.run(flight)
        }
      }
      try store.announce(deadline: Patience.limit)
      try store.withWriter { #expect($0.transactionStatus == .idle) }
    }

    @Test func aSaveThatFailsLeavesNothingToTheNextOne() throws {
      let proxy = try proxy(), url = try place(through: proxy)
      let program = try HistoryProgram(url), other = try HistoryProgram(url)
      let id = try program.save("first")
      let theirs = try #require(other.coordinator.managedObjectID(forURIRepresentation: id.uriRepresentation()))
      // It has its values before the others change them.
      let note = program.context.performAndWait { program.context.object(with: id) }
      program.context.performAndWait { #expect(note.value(forKey: "text") as? String == "first") }
      try other.change(theirs, to: "others'")
      program.context.performAndWait {
        note.setValue("own", forKey: "text")
        #expect(codeOfError { try program.context.save() } == NSManagedObjectMergeError)
        program.context.rollback()
      }
      for text in ["second", "third"] { try program.save(text) }
      #expect(try program.all().count == 4)
      #expect(other.text(of: theirs) == "others'")
    }
  }
#endif

#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLTestServer
  import Testing

  @_spi(Store) @testable import CoreDataPostgreSQL
  @_spi(Store) @testable import OpenCoreData

  /// Programs that read each other's history.
  @Suite(.enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed"))
  struct HistoryReadingTests {
    @Test func oneProgramReadsWhatAnotherHasSaved() throws {
      let url = try TestPlace.new()
      let writer = try HistoryProgram(url, author: "writer"), reader = try HistoryProgram(url, author: "reader")
      let start = try #require(reader.token)
      #expect(try reader.history(after: start).isEmpty)
      let before = Date()
      let id = try writer.save("a")
      let later = Date()
      try writer.change(id, to: "b")
      let found = try reader.history(after: start)
      #expect(found.map(\.author) == ["writer", "writer"])
      #expect(found.map { $0.changes?.map(\.changeType) } == [[.insert], [.update]])
      #expect(found[1].changes?[0].updatedProperties?.map(\.name) == ["text"])
      #expect(found[0].changes?[0].changedObjectID.uriRepresentation() == id.uriRepresentation())
      #expect(found[0].transactionNumber < found[1].transactionNumber)
      #expect(found[0].processID == ProcessInfo.processInfo.processName && found[0].storeID == writer.store.identifier)
      // The server's clock is this machine's, and both round.
      #expect(found[0].timestamp > before - 1 && found[0].timestamp < later + 1)
      #expect(try reader.history(after: found[0].token) == [found[1]])
      #expect(try reader.history(.fetchHistory(after: found[0])) == [found[1]])
      #expect(try reader.history(after: found[1].token).isEmpty)
      #expect(try reader.history(after: reader.token).isEmpty)
      #expect(try reader.history(after: nil) == found)
      #expect(try reader.history(.fetchHistory(after: found[0].timestamp)).contains(found[1]))
    }

    @Test func resultsComeInEveryForm() throws {
      let program = try HistoryProgram(try TestPlace.new(), author: "a")
      let id = try program.save("a")
      try program.save("b")
      program.context.performAndWait { program.context.transactionAuthor = "z" }
      try program.change(id, to: "c")
      func result(_ type: NSPersistentHistoryResultType, _ fetch: NSFetchRequest<any NSFetchRequestResult>? = nil)
        throws -> Any?
      {
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: .distantPast)
        request.resultType = type
        request.fetchRequest = fetch
        return try program.execute(request)
      }
      #expect(try result(.count) as? Int == 3)
      #expect((try result(.objectIDs) as? [NSManagedObjectID])?.count == 2)
      let bare = try #require(try result(.transactionsOnly) as? [NSPersistentHistoryTransaction])
      #expect(bare.map(\.changes?.count) == [nil, nil, nil])
      let changes = try #require(try result(.changesOnly) as? [NSPersistentHistoryChange])
      #expect(Set(changes.map(\.changeID)).count == 3)
      let ofAuthor = try #require(NSPersistentHistoryTransaction.fetchRequest)
      ofAuthor.predicate = NSPredicate(format: "author == 'z'")
      #expect((try result(.transactionsAndChanges, ofAuthor) as? [NSPersistentHistoryTransaction])?.count == 1)
      let updates = try #require(NSPersistentHistoryChange.fetchRequest)
      updates.predicate = NSPredicate(format: "changeType == 1")
      #expect(try result(.changesOnly, updates) as? [NSPersistentHistoryChange] == [changes[2]])
      let after = try #require(NSPersistentHistoryTransaction.fetchRequest)
      after.predicate = NSPredicate(format: "token > %@", try program.all()[1].token)
      #expect((try result(.count, after)) as? Int == 1)
    }

    @Test func aSaveTellsItsPlace() throws {
      let program = try HistoryProgram(try TestPlace.new())
      nonisolated(unsafe) var tokens: [NSPersistentHistoryToken] = []
      let observer = NotificationCenter.default.addObserver(
        forName: .NSManagedObjectContextDidSave, object: program.context, queue: nil
      ) { ($0.userInfo?["newChangeToken"] as? NSPersistentHistoryToken).map { tokens.append($0) } }
      defer { NotificationCenter.default.removeObserver(observer) }
      try program.save("a")
      try program.save("b")
      try #require(tokens.count == 2)
      #expect(try program.history(after: tokens[0]).count == 1)
      #expect(try program.history(after: tokens[1]).isEmpty)
      // A save that changes nothing but the metadata is none of history's.
      program.store.metadata["key"] = "value"
      try program.context.performAndWait { try program.context.save() }
      #expect(try program.all().count == 2)
    }

    @Test func tokensAreArchivedAndOutliveTheirCoordinator() throws {
      let url = try TestPlace.new()
      let program = try HistoryProgram(url)
      try program.save("a")
      let token = try #require(program.token)
      try program.save("b")
      let data = try NSKeyedArchiver.archivedData(withRootObject: token, requiringSecureCoding: true)
      let read = try #require(
        try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPersistentHistoryToken.self, from: data))
      #expect(read == token && read.hash == token.hash)
      #expect(try HistoryProgram(url).history(after: read).count == 1)
    }

    @Test func withoutTrackingThereIsNoHistory() throws {
      let url = try TestPlace.new()
      let plain = try HistoryProgram(url, nil)
      try plain.save("untold")
      #expect(plain.token == nil)
      #expect(codeOfError { _ = try plain.all() } == NSPersistentStoreUnsupportedRequestTypeError)
      let program = try HistoryProgram(url)
      try program.save("told")
      try plain.save("untold again")
      // It has one now, and it lacks what was saved by those that do not track it.
      #expect(try plain.all().count == 1)
      #expect(try program.all().count == 1)
      // What a save in doubt leaves is no transaction.
      try BareConnection(url).run("INSERT INTO \"_commit\"(token, at) VALUES (gen_random_uuid(), 0)")
      #expect(try program.all().count == 1)
    }

    @Test func valuesOfAllTypesOutliveTheirObjects() throws {
      let program = try HistoryProgram(try TestPlace.new())
      let values: [String: Any] = [
        "int16": -3, "int32": 70_000, "int64": Int64.max, "flag": true, "double": 0.1 + 0.2, "float": Float(0.1),
        "decimal": NSDecimalNumber(string: "1234567890123456789.01234567890123456"), "text": "\"ä\\😀\n",
        "date": Date(timeIntervalSinceReferenceDate: 123_456_789.123_456_7), "data": Data([0, 1, 255]),
        "uuid": UUID(), "uri": URL(string: "https://example.org/?q=1")!, "list": ["a", "b"] as NSArray,
      ]
      #expect(Set(values.keys) == Set(HistoryProgram.types.map(\.name)))
      try program.context.performAndWait {
        let full = NSEntityDescription.insertNewObject(forEntityName: "Thing", into: program.context)
        for (key, value) in values { full.setValue(value, forKey: key) }
        let empty = NSEntityDescription.insertNewObject(forEntityName: "Thing", into: program.context)
        let extreme = NSEntityDescription.insertNewObject(forEntityName: "Thing", into: program.context)
        extreme.setValue(Double.infinity, forKey: "double")
        extreme.setValue(Float.leastNonzeroMagnitude, forKey: "float")
        extreme.setValue(Date(timeIntervalSinceReferenceDate: -1e300), forKey: "date")
        try program.context.save()
        let ids = [full, empty, extreme].map(\.objectID)
        for object in [full, empty, extreme] { program.context.delete(object) }
        try program.context.save()
        let changes = try #require(try program.all().last?.changes)
        func tombstone(_ id: NSManagedObjectID) -> [AnyHashable: Any]? {
          changes.first { $0.changedObjectID == id }?.tombstone
        }
        let found = try #require(tombstone(ids[0]))
        for (key, value) in values {
          #expect(equal(found[key], value), "\(key): \(String(describing: found[key]))")
        }
        #expect(tombstone(ids[1])?.isEmpty == true)
        #expect(tombstone(ids[2])?["double"] as? Double == .infinity)
        #expect(tombstone(ids[2])?["float"] as? Float == .leastNonzeroMagnitude)
        #expect((tombstone(ids[2])?["date"] as? Date)?.timeIntervalSinceReferenceDate == -1e300)
      }
    }

    private func equal(_ found: Any?, _ value: Any) -> Bool {
      guard let found else { return false }
      if let value = value as? Bool { return (found as? NSNumber)?.boolValue == value }
      if let found = found as? AnyHashable, let value = value as? AnyHashable, found == value { return true }
      return "\(found)" == "\(value)"
    }
  }
#endif

import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// History through its API: what transactions and changes say, from where, and in which form.
@Suite struct HistoryRequestTests {
  @Test func transactionsSayWhoAndWhen() throws {
    let (_, context) = try HistoryModel.context(author: "me")
    let start = Date()
    try context.performAndWait {
      context.name = "ctx"
      try context.one("Owner").setValue("P", forKey: "name")
      try context.save()
      let all = try context.transactions(.fetchHistory(after: nil as NSPersistentHistoryToken?))
      #expect(all.map(\.transactionNumber) == [1, 2, 3])
      #expect(all.map { $0.changes?.count } == [1, 2, 1])
      let last = try #require(all.last)
      #expect(last.author == "me")
      #expect(last.contextName == "ctx")
      #expect(all[0].contextName == nil)
      #expect(last.processID == ProcessInfo.processInfo.processName)
      // Without a bundle it is the program's name, as the operating system knows it.
      let program = try #require(CommandLine.arguments.first.map { URL(fileURLWithPath: $0).lastPathComponent })
      #expect(last.bundleID == Bundle.main.bundleIdentifier ?? program)
      #expect(last.timestamp >= start && last.timestamp <= Date())
      let store = try #require(context.persistentStoreCoordinator?.persistentStores.first)
      #expect(last.storeID == store.identifier)
      #expect(last.token == context.persistentStoreCoordinator?.currentPersistentHistoryToken(fromStores: nil))
      #expect(last.copy() as? NSPersistentHistoryTransaction === last)
      #expect(last == (try context.transactions(.fetchHistory(after: all[1]))).first)
    }
  }

  @Test func changesSayWhatHappenedToWhat() throws {
    let (_, context) = try HistoryModel.context()
    try context.performAndWait {
      let animal = try context.one("Animal"), dog = try context.one("Dog")
      let (animalID, dogID) = (animal.objectID, dog.objectID)
      animal.setValue(2, forKey: "age")
      animal.setValue(dog, forKey: "mother")
      try context.save()
      animal.setValue(nil, forKey: "mother")
      context.delete(dog)
      try context.save()
      let all = try context.transactions(.fetchHistory(after: .distantPast))
      let inserts = try #require(all[1].changes)
      #expect(inserts.map(\.changeType) == [.insert, .insert])
      #expect(inserts.map(\.changedObjectID) == [animalID, dogID])
      #expect(inserts.map(\.changedObjectID.entity.name) == ["Animal", "Dog"])
      #expect(inserts[0].updatedProperties == nil)
      #expect(inserts[0].tombstone == nil)
      #expect(inserts[0].transaction == all[1])
      #expect(inserts[0].transaction?.changes == inserts)
      let update = try #require(all[2].changes?.first { $0.changedObjectID == animalID })
      #expect(update.changeType == .update)
      #expect(Set(update.updatedProperties?.map(\.name) ?? []) == ["age", "mother"])
      #expect(update.updatedProperties?.first { $0.name == "age" } === animalID.entity.propertiesByName["age"])
      let delete = try #require(all[3].changes?.first { $0.changeType == .delete })
      #expect(delete.changedObjectID == dogID)
      #expect(delete.updatedProperties == nil)
      let tombstone = try #require(delete.tombstone)
      #expect(tombstone.count == 4)
      #expect(tombstone["name"] as? String == "D")
      #expect(tombstone["breed"] as? String == "Collie")
      #expect(tombstone["born"] as? Date == Date(timeIntervalSinceReferenceDate: 5.5))
      #expect(tombstone["chip"] as? UUID == UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF"))
      #expect(all.flatMap { $0.changes ?? [] }.map(\.changeID) == Array(1...7))
    }
  }

  @Test func aRequestBeginsAfterATokenATransactionOrADate() throws {
    let (_, context) = try HistoryModel.context()
    try context.performAndWait {
      let all = try context.transactions(.fetchHistory(after: nil as NSPersistentHistoryTransaction?))
      let coordinator = try #require(context.persistentStoreCoordinator)
      let now = coordinator.currentPersistentHistoryToken(fromStores: coordinator.persistentStores)
      let request = NSPersistentHistoryChangeRequest.fetchHistory(after: all[0].token)
      #expect(request.token == all[0].token)
      #expect(request.resultType == .transactionsAndChanges)
      #expect(try context.transactions(request) == [all[1]])
      #expect(try context.transactions(.fetchHistory(after: all[0])) == [all[1]])
      #expect(try context.transactions(.fetchHistory(after: all[0].timestamp)) == [all[1]])
      #expect(try context.transactions(.fetchHistory(after: now)).isEmpty)
      _ = context.make("Owner")
      try context.save()
      #expect(try context.transactions(.fetchHistory(after: now)).map(\.transactionNumber) == [3])
    }
  }

  @Test func resultTypes() throws {
    let (_, context) = try HistoryModel.context()
    try context.performAndWait {
      try context.one("Animal").setValue(3, forKey: "age")
      try context.save()
      func result(_ type: NSPersistentHistoryResultType) throws -> Any? {
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: .distantPast)
        request.resultType = type
        let result = try #require(try context.execute(request) as? NSPersistentHistoryResult)
        #expect(result.resultType == type)
        return result.result
      }
      #expect(try result(.statusOnly) as? NSNumber == true)
      #expect(try result(.count) as? NSNumber == 4)
      let identifiers = try result(.objectIDs) as? [NSManagedObjectID]
      #expect(identifiers?.map(\.entity.name) == ["Owner", "Animal", "Dog"])
      let transactions = try result(.transactionsOnly) as? [NSPersistentHistoryTransaction]
      #expect(transactions?.count == 3)
      #expect(transactions?.allSatisfy { $0.changes == nil } == true)
      let changes = try result(.changesOnly) as? [NSPersistentHistoryChange]
      #expect(changes?.map(\.changeID) == [1, 2, 3, 4])
      #expect(changes?.last?.transaction?.transactionNumber == 3)
    }
  }

  @Test func notificationsOfIDs() throws {
    let (_, context) = try HistoryModel.context()
    try context.performAndWait {
      let animal = try context.one("Animal"), dog = try context.one("Dog"), new = context.make("Owner")
      animal.setValue(3, forKey: "age")
      context.delete(dog)
      let (animalID, dogID) = (animal.objectID, dog.objectID)
      try context.save()
      let last = try #require(try context.transactions(.fetchHistory(after: .distantPast)).last)
      let notification = last.objectIDNotification()
      #expect(notification.name == NSManagedObjectContext.didSaveObjectIDsNotification)
      #expect(notification.userInfo?["inserted_objectIDs"] as? Set<NSManagedObjectID> == [new.objectID])
      #expect(notification.userInfo?["updated_objectIDs"] as? Set<NSManagedObjectID> == [animalID])
      #expect(notification.userInfo?["deleted_objectIDs"] as? Set<NSManagedObjectID> == [dogID])
    }
  }

  @Test func storesWithoutHistoryAreAnError() throws {
    let context = TestModel.context(try HistoryModel.coordinator(URL(fileURLWithPath: "/dev/null"), nil))
    #expect(context.persistentStoreCoordinator?.currentPersistentHistoryToken(fromStores: nil) == nil)
    let error = #expect(throws: NSError.self) {
      try context.performAndWait { try context.transactions(.fetchHistory(after: .distantPast)) }
    }
    #expect(error?.code == 134091)
  }

  @Test func historyIsReadableWhereItIsNotTracked() throws {
    let (url, _) = try HistoryModel.context()
    let options = [NSReadOnlyPersistentStoreOption: true]
    let context = TestModel.context(try HistoryModel.coordinator(url, options))
    try context.performAndWait {
      let all = try context.transactions(.fetchHistory(after: .distantPast))
      #expect(all.map { $0.changes?.count } == [1, 2])
    }
    let error = #expect(throws: NSError.self) {
      try context.performAndWait { try context.purge(.deleteHistory(before: Date())) }
    }
    #expect(error?.code == CocoaError.Code.fileWriteNoPermission.rawValue)
  }

  @Test(.enabled(if: Shell.hasSQLite, "sqlite3 is not there")) func damagedRowsAreLeftOut() throws {
    let (url, context) = try HistoryModel.context()
    try Shell.sql(
      url,
      """
      INSERT INTO ACHANGE (Z_PK, Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, ZCOLUMNS) VALUES
        (10, 16001, 9, 1, 1, 2, NULL), (11, 16001, 1, 99, 1, 2, NULL), (12, 16001, 1, -1, 1, 2, NULL),
        (13, 16001, 1, 1, -5, 2, NULL), (14, 16001, 'x', NULL, NULL, 2, NULL),
        (15, 16001, 1, 1, 1, 2, x'FFFFFFFFFFFF'), (16, 16001, 1, 1, 1, 2, NULL), (17, 16001, 2, 2, 1, 2, NULL),
        (18, 16001, 1, 9223372036854775807, 9223372036854775807, 2, 'text');
      UPDATE ACHANGE SET ZTOMBSTONE0 = 'no date', ZTOMBSTONE2 = x'00' WHERE Z_PK = 17;
      INSERT INTO ATRANSACTION (Z_PK, ZAUTHORTS) VALUES (3, 999), (-4, NULL), (9223372036854775807, 1);
      """)
    try context.performAndWait {
      let all = try context.transactions(.fetchHistory(after: .distantPast))
      #expect(all.map(\.transactionNumber) == [1, 2])
      let changes = all[1].changes ?? []
      #expect(changes.map(\.changeID) == [2, 3, 15, 16, 17])
      #expect(changes[2].updatedProperties?.count == 7)
      #expect(changes[3].updatedProperties == [])
      #expect(changes[4].tombstone?["chip"] == nil)
      _ = try context.transactions(.fetchHistory(after: nil as NSPersistentHistoryToken?))
    }
  }
}

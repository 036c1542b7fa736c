import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// Deleting history, and the tokens that outlive it or do not.
@Suite struct HistoryPurgeTests {
  /// A store with that many transactions.
  private func context(_ count: Int) throws -> (url: URL, context: NSManagedObjectContext) {
    let (url, context) = try HistoryModel.context(author: "first")
    try context.performAndWait {
      for number in 2..<count {
        context.transactionAuthor = "author \(number)"
        try context.one("Owner").setValue("O\(number)", forKey: "name")
        try context.save()
      }
    }
    return (url, context)
  }

  private func numbers(_ context: NSManagedObjectContext) throws -> [Int64] {
    try context.transactions(.fetchHistory(after: .distantPast)).map(\.transactionNumber)
  }

  @Test func whatIsBeforeATransactionATokenOrADateGoes() throws {
    let (url, context) = try context(6)
    try context.performAndWait {
      let all = try context.transactions(.fetchHistory(after: .distantPast))
      let request = NSPersistentHistoryChangeRequest.deleteHistory(before: all[1])
      #expect(request.resultType == .statusOnly)
      #expect((try context.execute(request) as? NSPersistentHistoryResult)?.result as? NSNumber == true)
      #expect(try numbers(context) == [2, 3, 4, 5, 6])
      try context.purge(.deleteHistory(before: all[2].token))
      #expect(try numbers(context) == [3, 4, 5, 6])
      try context.purge(.deleteHistory(before: all[4].timestamp))
      #expect(try numbers(context) == [5, 6])
      try context.purge(.deleteHistory(before: nil as NSPersistentHistoryToken?))
      #expect(try numbers(context) == [5, 6])
      #expect(try context.transactions(.fetchHistory(after: .distantPast)).map(\.author) == ["author 4", "author 5"])
      if Shell.hasSQLite {
        #expect(try Shell.sql(url, "SELECT MIN(ZTRANSACTIONID), COUNT(*) FROM ACHANGE") == ["5|2"])
      }
      // Numbers are not given out again.
      try context.purge(.deleteHistory(before: .distantFuture))
      #expect(try numbers(context).isEmpty)
      context.transactionAuthor = "first"
      try context.one("Owner").setValue("last", forKey: "name")
      try context.save()
      let last = try context.transactions(.fetchHistory(after: .distantPast))
      #expect(last.map(\.transactionNumber) == [7])
      #expect(last[0].author == "first")
    }
  }

  /// A clock that went back gives later transactions earlier times.
  @Test(arguments: [[50.0, 10, 20, 60, 70], [10, 50, 20, 60, 70], [10, 20, 30, 40, 50], [50, 50, 10, 20, 10]])
  func purgingByDateLeavesNoGap(_ times: [Double]) throws {
    let (url, context) = try context(times.count)
    let connection = try SQLiteConnection(path: url.path, readOnly: false, create: false, timeout: 60, pragmas: [])
    for (index, time) in times.enumerated() {
      try connection.execute("UPDATE ATRANSACTION SET ZTIMESTAMP = \(time) WHERE Z_PK = \(index + 1)")
    }
    let end = times.firstIndex { $0 >= 40 } ?? times.count
    try context.performAndWait {
      let all = try context.transactions(.fetchHistory(after: .distantPast))
      try context.purge(.deleteHistory(before: Date(timeIntervalSinceReferenceDate: 40)))
      #expect(try numbers(context) == all.dropFirst(end).map(\.transactionNumber))
      for (index, transaction) in all.enumerated() {
        let rest = try? context.transactions(.fetchHistory(after: transaction.token))
        #expect(rest == (index + 1 < end ? nil : Array(all.dropFirst(index + 1))))
      }
    }
  }

  @Test func aTokenIsGoodAsLongAsNothingAfterItIsMissing() throws {
    let (_, context) = try context(6)
    try context.performAndWait {
      let all = try context.transactions(.fetchHistory(after: .distantPast))
      try context.purge(.deleteHistory(before: all[3]))
      #expect(try context.transactions(.fetchHistory(after: all[4].token)) == [all[5]])
      #expect(try context.transactions(.fetchHistory(after: all[3].token)) == [all[4], all[5]])
      // Deleted itself, but what came after it is all there.
      #expect(try context.transactions(.fetchHistory(after: all[2].token)) == [all[3], all[4], all[5]])
      for transaction in all[0...1] {
        let error = #expect(throws: NSError.self) {
          try context.transactions(.fetchHistory(after: transaction.token))
        }
        #expect(error?.code == NSPersistentHistoryTokenExpiredError)
      }
      let now = context.persistentStoreCoordinator?.currentPersistentHistoryToken(fromStores: nil)
      try context.purge(.deleteHistory(before: .distantFuture))
      #expect(try context.transactions(.fetchHistory(after: now)).isEmpty)
      let error = #expect(throws: NSError.self) { try context.transactions(.fetchHistory(after: all[4].token)) }
      #expect(error?.code == 134301)
    }
  }

  @Test func tokensOfOtherStoresAndOtherTimesAreExpired() throws {
    let (url, context) = try context(3)
    let other = try self.context(4).context
    let foreign = other.persistentStoreCoordinator?.currentPersistentHistoryToken(fromStores: nil)
    let late = NSPersistentHistoryToken([context.persistentStoreCoordinator!.sqlStores[0].identifier: 99])
    let early = NSPersistentHistoryToken([context.persistentStoreCoordinator!.sqlStores[0].identifier: -1])
    for token in [foreign, late, early] {
      let error = #expect(throws: NSError.self) {
        try context.performAndWait { try context.transactions(.fetchHistory(after: token)) }
      }
      #expect(error?.code == 134301)
      #expect(error?.userInfo[NSFilePathErrorKey] as? String == url.path)
      // A token of another store says whose it is; the history of one of this store is not there.
      let text = error?.localizedDescription ?? ""
      let stranger = try #require(other.persistentStoreCoordinator?.sqlStores[0].identifier)
      #expect(text.contains(stranger) == (token === foreign) && text.contains(url.path))
      #expect(text.contains("not there any more") == (token !== foreign), "\(text)")
    }
    // A place in a server means nothing in a file, though it is a copy of the same store.
    let place = HistoryPlace.snapshot(try #require(TransactionSnapshot("1:1:")), server: 1)
    let copy = NSPersistentHistoryToken([context.persistentStoreCoordinator!.sqlStores[0].identifier: place])
    let error = #expect(throws: NSError.self) {
      try context.performAndWait { try context.transactions(.fetchHistory(after: copy)) }
    }
    #expect(error?.code == 134301 && error?.localizedDescription.contains("another copy of the store at") == true)
  }

  @Test func tokensAreArchivedAndGoodAfterReopening() throws {
    let (url, context) = try context(4)
    let coordinator = try #require(context.persistentStoreCoordinator)
    let token = try #require(coordinator.currentPersistentHistoryToken(fromStores: nil))
    let data = try NSKeyedArchiver.archivedData(withRootObject: token, requiringSecureCoding: true)
    try context.performAndWait {
      try context.one("Animal").setValue(8, forKey: "age")
      try context.save()
    }
    try coordinator.removeAll()
    let read = try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPersistentHistoryToken.self, from: data))
    #expect(read == token)
    #expect(read.hash == token.hash)
    #expect(token.copy() as? NSPersistentHistoryToken == token)
    let second = TestModel.context(try HistoryModel.coordinator(url))
    let after = try second.performAndWait { try second.transactions(.fetchHistory(after: read)) }
    #expect(after.map(\.transactionNumber) == [5])
    #expect(after.last?.token != token)
    for bad in [Data(), Data([1, 2, 3]), data.prefix(data.count - 3)] {
      #expect((try? NSKeyedUnarchiver.unarchivedObject(ofClass: NSPersistentHistoryToken.self, from: bad)) == nil)
    }
  }

  @Test func aNewStoreHasATokenAndTwoStoresHaveOne() throws {
    let url = try TestModel.temporaryFile()
    let coordinator = try HistoryModel.coordinator(url)
    let context = TestModel.context(coordinator)
    let start = try #require(coordinator.currentPersistentHistoryToken(fromStores: nil))
    try context.performAndWait {
      let nothing = try context.transactions(.fetchHistory(after: start))
      #expect(nothing.isEmpty)
      let first = context.make("Owner")
      context.assign(first, to: coordinator.persistentStores[0])
      try context.save()
      #expect(try context.transactions(.fetchHistory(after: start)).count == 1)
      let second = try coordinator.addPersistentStore(
        ofType: NSSQLiteStoreType, configurationName: nil, at: try TestModel.temporaryFile(),
        options: HistoryModel.tracking)
      let between = coordinator.currentPersistentHistoryToken(fromStores: nil)
      #expect(between != coordinator.currentPersistentHistoryToken(fromStores: [second]))
      let other = context.make("Owner")
      context.assign(other, to: second)
      try context.save()
      // A store that the token does not know is new as a whole.
      #expect(try context.transactions(.fetchHistory(after: start)).map(\.transactionNumber) == [1, 1])
      let new = try context.transactions(.fetchHistory(after: between))
      #expect(new.map(\.storeID) == [second.identifier])
      let request = NSPersistentHistoryChangeRequest.fetchHistory(after: .distantPast)
      request.affectedStores = [second]
      #expect(try context.transactions(request) == new)
    }
  }
}

import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// Fetch requests for transactions and changes.
@Suite struct HistoryFetchTests {
  private func context() throws -> NSManagedObjectContext {
    let (_, context) = try HistoryModel.context(author: "app")
    try context.performAndWait {
      context.name = "import"
      context.transactionAuthor = "server"
      try context.one("Animal").setValue(2, forKey: "age")
      try context.one("Dog").setValue(2, forKey: "age")
      try context.save()
      context.transactionAuthor = nil
      context.delete(try context.one("Animal"))
      try context.save()
    }
    return context
  }

  private func request(
    _ request: NSFetchRequest<any NSFetchRequestResult>?, _ predicate: NSPredicate? = nil
  ) throws -> NSPersistentHistoryChangeRequest {
    let request = try #require(request)
    request.predicate = predicate
    return .fetchHistory(withFetch: request)
  }

  private func numbers(_ context: NSManagedObjectContext, _ predicate: NSPredicate) throws -> [Int64] {
    try context.transactions(try request(NSPersistentHistoryTransaction.fetchRequest, predicate))
      .map(\.transactionNumber)
  }

  private func changes(_ context: NSManagedObjectContext, _ predicate: NSPredicate) throws -> [Int64] {
    let request = try request(NSPersistentHistoryChange.fetchRequest, predicate)
    request.resultType = .changesOnly
    let result = try context.execute(request) as? NSPersistentHistoryResult
    return (result?.result as? [NSPersistentHistoryChange] ?? []).map(\.changeID)
  }

  @Test func transactionsByTheirKeys() throws {
    let context = try context()
    try context.performAndWait {
      let all = try context.transactions(.fetchHistory(after: .distantPast))
      #expect(try numbers(context, NSPredicate(format: "author == 'server'")) == [3])
      #expect(try numbers(context, NSPredicate(format: "author != 'app'")) == [3, 4])
      #expect(try numbers(context, NSPredicate(format: "author == nil")) == [4])
      #expect(try numbers(context, NSPredicate(format: "contextName BEGINSWITH 'imp' AND author != nil")) == [3])
      #expect(
        try numbers(context, NSPredicate(format: "transactionNumber > 1 AND NOT transactionNumber = 3")) == [2, 4])
      #expect(try numbers(context, NSPredicate(format: "timestamp > %@", all[1].timestamp as NSDate)) == [3, 4])
      #expect(try numbers(context, NSPredicate(format: "processID == %@", all[0].processID)) == [1, 2, 3, 4])
      #expect(try numbers(context, NSPredicate(format: "bundleID == 'none'")).isEmpty)
      for (text, expected) in [("==", [2]), ("<=", [1, 2]), (">=", [2, 3, 4]), (">", [3, 4])] {
        let format = "%K \(text) %@"
        #expect(try numbers(context, NSPredicate(format: format, "token", all[1].token)) == expected.map(Int64.init))
      }
    }
  }

  @Test func changesByTheirKeys() throws {
    let context = try context()
    try context.performAndWait {
      let model = try #require(context.persistentStoreCoordinator?.managedObjectModel.entitiesByName)
      let dog = try context.one("Dog")
      #expect(try changes(context, NSPredicate(format: "changeType == 1")) == [4, 5])
      #expect(
        try changes(
          context, NSPredicate(format: "changeType == %d", NSPersistentHistoryChangeType.delete.rawValue)) == [6])
      #expect(try changes(context, NSPredicate(format: "changedObjectID == %@", dog.objectID)) == [3, 5])
      #expect(try changes(context, NSPredicate(format: "changedObjectID IN %@", [dog.objectID])) == [3, 5])
      // Of the entity itself: a dog is no animal here.
      #expect(try changes(context, NSPredicate(format: "changedEntity == %@", model["Animal"]!)) == [2, 4, 6])
      #expect(try changes(context, NSPredicate(format: "changeID >= 5")) == [5, 6])
    }
  }

  @Test func transactionsOfChangesHaveTheseAlone() throws {
    let context = try context()
    try context.performAndWait {
      let dog = try context.one("Dog")
      let request = try request(
        NSPersistentHistoryChange.fetchRequest, NSPredicate(format: "changedObjectID == %@", dog.objectID))
      let found = try context.transactions(request)
      #expect(found.map(\.transactionNumber) == [2, 3])
      #expect(found.map { $0.changes?.map(\.changeID) } == [[3], [5]])
      request.resultType = .count
      #expect((try context.execute(request) as? NSPersistentHistoryResult)?.result as? NSNumber == 2)
    }
  }

  @Test func orderOffsetAndLimit() throws {
    let context = try context()
    try context.performAndWait {
      let fetch = try #require(NSPersistentHistoryTransaction.fetchRequest)
      fetch.sortDescriptors = [NSSortDescriptor(key: "transactionNumber", ascending: false)]
      fetch.fetchOffset = 1
      fetch.fetchLimit = 2
      let request = NSPersistentHistoryChangeRequest.fetchHistory(withFetch: fetch)
      #expect(request.fetchRequest === fetch)
      #expect(try context.transactions(request).map(\.transactionNumber) == [3, 2])
      request.resultType = .count
      #expect((try context.execute(request) as? NSPersistentHistoryResult)?.result as? NSNumber == 2)
      fetch.sortDescriptors = [
        NSSortDescriptor(key: "author", ascending: true), NSSortDescriptor(key: "timestamp", ascending: false),
      ]
      (fetch.fetchOffset, fetch.fetchLimit) = (0, 0)
      request.resultType = .transactionsOnly
      #expect(try context.transactions(request).map(\.transactionNumber) == [4, 2, 1, 3])
    }
  }

  @Test func aFetchRequestNarrowsARequestThatBeginsAfterAToken() throws {
    let context = try context()
    try context.performAndWait {
      let all = try context.transactions(.fetchHistory(after: .distantPast))
      let request = NSPersistentHistoryChangeRequest.fetchHistory(after: all[0].token)
      request.fetchRequest = NSPersistentHistoryTransaction.fetchRequest
      request.fetchRequest?.predicate = NSPredicate(format: "author == 'app'")
      #expect(try context.transactions(request) == [all[1]])
    }
  }

  @Test func descriptionsNameTheKeys() throws {
    let context = try context()
    let transaction = try #require(NSPersistentHistoryTransaction.entityDescription)
    #expect(NSPersistentHistoryTransaction.entityDescription(with: context) === transaction)
    #expect(
      Set(transaction.attributesByName.keys) == [
        "author", "bundleID", "contextName", "processID", "timestamp", "token", "transactionNumber",
      ])
    let change = try #require(NSPersistentHistoryChange.entityDescription(with: context))
    #expect(
      Set(change.attributesByName.keys) == ["changeID", "changeType", "changedEntity", "changedObjectID"])
  }

  @Test(arguments: ["author == 'app'", "changedObjectID.x == 1 OR tombstone != nil", "1 IN {author}"])
  func keysThatChangesDoNotHaveAreErrors(format: String) throws {
    let context = try context()
    let error = #expect(throws: NSError.self) {
      try context.performAndWait {
        try context.execute(try request(NSPersistentHistoryChange.fetchRequest, NSPredicate(format: format)))
      }
    }
    #expect(error?.code == 134060)
    #expect(error?.localizedDescription.contains("not found in entity CHANGE") == true)
  }

  @Test func otherEntitiesAreErrors() throws {
    let context = try context()
    let error = #expect(throws: NSError.self) {
      try context.performAndWait {
        try context.execute(try request(NSFetchRequest<any NSFetchRequestResult>(entityName: "Animal")))
      }
    }
    #expect(error?.code == 134060)
  }
}

import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// Tokens, and how long the generations last that they stand for.
@Suite struct QueryGenerationTokenTests {
  private func store() throws -> (coordinator: NSPersistentStoreCoordinator, store: SQLiteStore) {
    let coordinator = try TestModel.coordinator(TestModel.library(), url: try TestModel.temporaryFile())
    let context = TestModel.context(coordinator)
    try context.performAndWait { () throws in
      _ = context.make("Tag", ["name": "first"])
      try context.save()
    }
    return (coordinator, try #require(coordinator.sqlStores.first))
  }

  private func pin(_ context: NSManagedObjectContext) throws -> NSQueryGenerationToken {
    try context.performAndWait { () throws in
      try context.setQueryGenerationFrom(.current)
      #expect(try context.all("Tag").count >= 1)
      return try #require(context.queryGenerationToken)
    }
  }

  /// Whether a reader of this store is at an older state than the latest.
  private func holdsOldState(_ store: SQLiteStore) throws -> Bool {
    let context = TestModel.context(try #require(store.coordinator))
    try context.performAndWait { () throws in
      _ = context.make("Tag")
      try context.save()
    }
    store.readers.takeBackIdle()
    return store.readers.oldestCommit() < store.latestCommit
  }

  private func archive(_ token: NSQueryGenerationToken) throws -> Data {
    try NSKeyedArchiver.archivedData(withRootObject: token, requiringSecureCoding: true)
  }

  private func decode(_ data: Data) throws -> NSQueryGenerationToken {
    try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: NSQueryGenerationToken.self, from: data))
  }

  @Test func tokensAreEqualIfTheirGenerationsAre() throws {
    let (coordinator, _) = try store()
    let context = TestModel.context(coordinator)
    let token = try pin(context)
    try context.performAndWait { () throws in
      let again = try #require(context.queryGenerationToken)
      #expect(again == token && again.hash == token.hash && Set([again, token]).count == 1)
      #expect(token.copy() as? NSQueryGenerationToken == token)
    }
    #expect(try pin(TestModel.context(coordinator)) != token)
    #expect(NSQueryGenerationToken.current == NSQueryGenerationToken.current && token != .current)
    #expect(NSQueryGenerationToken.supportsSecureCoding)
  }

  @Test func aGenerationLastsAsLongAsAContextOrATokenHoldsIt() throws {
    let (coordinator, store) = try store()
    var context: NSManagedObjectContext? = TestModel.context(coordinator)
    var token: NSQueryGenerationToken? = try pin(try #require(context))
    #expect(try holdsOldState(store))
    context = nil
    #expect(try holdsOldState(store), "the token holds it")
    let second = TestModel.context(coordinator)
    try second.performAndWait { () throws in
      try second.setQueryGenerationFrom(token)
      #expect(try second.all("Tag").count == 1)
    }
    token = nil
    #expect(try holdsOldState(store), "the context holds it")
    try second.performAndWait { try second.setQueryGenerationFrom(nil) }
    #expect(try !holdsOldState(store))
  }

  @Test(arguments: ["unpinned", "reset", "gone", "saved"]) func aGenerationEndsWhenItsContextIs(_ way: String) throws {
    let (coordinator, store) = try store()
    var context: NSManagedObjectContext? = TestModel.context(coordinator)
    _ = try pin(try #require(context))
    #expect(try holdsOldState(store))
    try context?.performAndWait { () throws in
      switch way {
      case "unpinned": try context?.setQueryGenerationFrom(nil)
      case "reset": context?.reset()
      case "saved":
        _ = context?.make("Tag")
        try context?.save()
      default: break
      }
    }
    if way == "gone" { context = nil }
    store.readers.takeBackIdle()
    #expect(store.readers.oldestCommit() >= store.latestCommit)
    withExtendedLifetime(context) {}
  }

  @Test func anArchivedTokenIsGoodWhileItsGenerationLasts() throws {
    let (coordinator, _) = try store()
    var context: NSManagedObjectContext? = TestModel.context(coordinator)
    var token: NSQueryGenerationToken? = try pin(try #require(context))
    let data = try archive(try #require(token))
    let second = TestModel.context(coordinator)
    try second.performAndWait { () throws in
      let decoded = try decode(data)
      #expect(decoded == token && decoded.hash == token?.hash)
      try second.setQueryGenerationFrom(decoded)
      #expect(second.queryGenerationToken == token)
      try second.setQueryGenerationFrom(nil)
    }
    context = nil
    token = nil
    try second.performAndWait { () throws in
      let decoded = try decode(data)
      #expect(try decode(data) == decoded, "it still compares")
      let error = #expect(throws: NSError.self) { try second.setQueryGenerationFrom(decoded) }
      #expect(error?.code == NSPersistentStoreOperationError)
      #expect(error?.localizedDescription.contains("is over, or belongs to another process") == true)
      #expect(second.queryGenerationToken == nil)
    }
    #expect(try decode(try archive(.current)) == .current)
  }

  @Test func anArchiveOfSomethingElseIsNone() throws {
    let archiver = NSKeyedArchiver(requiringSecureCoding: true)
    archiver.encode("nonsense" as NSString, forKey: "OCDQueryGeneration")
    archiver.finishEncoding()
    let coder = try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)
    #expect(NSQueryGenerationToken(coder: coder) == nil)
  }

  @Test func aTokenOfAnotherCoordinatorIsRefused() throws {
    let (coordinator, _) = try store(), (other, _) = try store()
    let holder = TestModel.context(coordinator)
    let token = try pin(holder)
    let context = TestModel.context(other)
    try context.performAndWait { () throws in
      let error = #expect(throws: NSError.self) { try context.setQueryGenerationFrom(token) }
      #expect(error?.code == NSPersistentStoreOperationError)
      #expect(error?.localizedDescription.contains("of another persistent store coordinator") == true)
      #expect(context.queryGenerationToken == nil)
    }
  }

  @Test func aRemovedStoreEndsItsGenerations() throws {
    let (coordinator, store) = try store()
    let holder = TestModel.context(coordinator)
    let token = try pin(holder)
    let tags = try holder.performAndWait { () throws in
      holder.refreshAllObjects()
      return try holder.all("Tag")
    }
    coordinator.emptyRowCache()
    try coordinator.remove(store)
    try holder.performAndWait { () throws in
      #expect(throws: NSError.self) { try holder.existingObject(with: tags[0].objectID) }
      #expect(throws: NSError.self) { try holder.setQueryGenerationFrom(token) }
      #expect(try holder.all("Tag").isEmpty)
    }
  }

  /// As many generations as connections; what frees one makes room.
  @Test func theirNumberIsLimited() throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.library())
    try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: try TestModel.temporaryFile(),
      options: [NSPersistentStoreConnectionPoolMaxSizeKey: 2])
    let writer = TestModel.context(coordinator)
    try writer.performAndWait { () throws in
      _ = writer.make("Tag")
      try writer.save()
    }
    let contexts = (0..<3).map { _ in TestModel.context(coordinator) }
    for context in contexts[..<2] { _ = try pin(context) }
    // One that is shared counts once.
    let sharing = TestModel.context(coordinator)
    try sharing.performAndWait { () throws in
      try sharing.setQueryGenerationFrom(contexts[0].performAndWait { contexts[0].queryGenerationToken })
      #expect(try sharing.all("Tag").count == 1)
    }
    try contexts[2].performAndWait { () throws in
      try contexts[2].setQueryGenerationFrom(.current)
      let error = #expect(throws: NSError.self) { try contexts[2].all("Tag") }
      #expect(error?.code == NSPersistentStoreOperationError)
      #expect(error?.localizedDescription.contains("2 query generations are all in use") == true)
      // Those that are not pinned go on reading.
      #expect(try writer.performAndWait { try writer.all("Tag").count } == 1)
    }
    try contexts[1].performAndWait { try contexts[1].setQueryGenerationFrom(nil) }
    try contexts[2].performAndWait { () throws in #expect(try contexts[2].all("Tag").count == 1) }
  }
}

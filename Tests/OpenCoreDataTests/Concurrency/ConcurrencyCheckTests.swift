import CRuntime
import CoreData
import Synchronization
import Testing

@_spi(Store) @testable import OpenCoreData

/// The concurrency check: what it stops, what it lets pass, and what it says.
@Suite struct ConcurrencyCheckTests {
  /// What the check says when it is turned on.
  private static let startLine = "CoreData: annotation: Core Data multi-threading assertions enabled.\n"

  private static func library(_ store: TestStore) throws -> NSManagedObjectContext {
    TestModel.context(try store.coordinator(TestModel.library()))
  }

  // MARK: How it is asked for

  @Test func argumentsAndEnvironment() {
    let argument = "-com.apple.CoreData.ConcurrencyDebug"
    func asks(_ arguments: [String], _ environment: [String: String]) -> Bool {
      LaunchArguments(arguments, environment).checksConcurrency
    }
    #expect(asks(["program", argument, "1"], [:]))
    #expect(asks(["program", "-x", argument, "YES", "file"], [:]))
    #expect(!asks(["program", argument, "0"], ["COREDATA_CONCURRENCYDEBUG": "1"]))
    #expect(!asks(["program", argument], [:]))
    #expect(!asks(["program", "1"], [:]))
    #expect(asks([], ["COREDATA_CONCURRENCYDEBUG": "1"]))
    #expect(!asks([], ["COREDATA_CONCURRENCYDEBUG": "0"]))
  }

  @Test(arguments: TestStore.all) func offByDefault(_ store: TestStore) throws {
    if LaunchArguments.current.checksConcurrency { return }
    let context = try Self.library(store)
    _ = context.make("Author", ["name": "a"])
    #expect(try context.all("Author").count == 1)
  }

  // MARK: What it says

  @Test func anObjectOffItsQueue() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      setenv("COREDATA_CONCURRENCYDEBUG", "1", 1)
      let context = try Self.library(.sqlite)
      context.name = "importer"
      let author = try context.performAndWait {
        let author = context.make("Author", ["name": "a"])
        try context.save()
        return author
      }
      let other = try Self.library(.sqlite)
      other.name = "reader"
      other.performAndWait { _ = author.value(forKey: "name") }
    }
    let text = ConfinementTests.text(result)
    #expect(text.contains("__Multithreading_Violation_AllThatIsLeftToUsIsHonor__"))
    #expect(text.contains("entity: Author; id: x-coredata://") && text.contains("/Author/p1)"))
    #expect(text.contains("\"importer\" (private queue) was used off its queue: name."))
    #expect(text.contains("\"reader\" (private queue)"))
  }

  @Test func aContextOffItsQueue() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      setenv("COREDATA_CONCURRENCYDEBUG", "1", 1)
      let main = NSManagedObjectContext(.mainQueue)
      main.name = "view"
      main.persistentStoreCoordinator = try TestModel.coordinator(TestModel.library())
      let done = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        _ = try? main.all("Author")
        done.signal()
      }
      done.wait()
    }
    let text = ConfinementTests.text(result)
    #expect(text.contains("__Multithreading_Violation_AllThatIsLeftToUsIsHonor__"))
    #expect(text.contains("\"view\" (main queue) was used off its queue: fetch(_:)."))
    #expect(text.contains("inside of no context's block"))
  }

  @Test func aConfinedContextOnAnotherThread() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      setenv("COREDATA_CONCURRENCYDEBUG", "1", 1)
      let context = NSManagedObjectContext(concurrencyType: NSManagedObjectContextConcurrencyType(rawValue: 0)!)
      context.persistentStoreCoordinator = try TestModel.coordinator(TestModel.library())
      _ = try context.all("Author")
      let done = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        _ = context.hasChanges
        done.signal()
      }
      done.wait()
    }
    let text = ConfinementTests.text(result)
    #expect(text.contains("(confined to thread") && text.contains("was used off its queue: hasChanges."))
    #expect(text.contains("on the thread that made it"))
  }

  // MARK: Confinement contexts below a main-queue context

  /// Uses a child that has no queue, where its parent has a change of its own and one of the child's.
  private static func use(_ child: NSManagedObjectContext) throws {
    let new = child.make("Author", ["name": "new"])
    // What the parent has pending is looked through on the main queue, by a predicate with an object of the child.
    let request = NSFetchRequest<NSManagedObject>(entityName: "Author")
    request.predicate = NSPredicate(format: "self != %@ AND name != nil", new)
    guard try child.fetch(request).count == 1 else { exit(2) }
    try child.obtainPermanentIDs(for: [new])
    try child.save()
    new.setValue("changed", forKey: "name")
    child.refresh(new, mergeChanges: false)
    guard new.value(forKey: "name") as? String == "new" else { exit(3) }
    child.delete(new)
    try child.save()
    guard try child.all("Author").count == 1, !child.hasChanges else { exit(4) }
  }

  private static func mainContext() throws -> NSManagedObjectContext {
    let main = NSManagedObjectContext(.mainQueue)
    main.persistentStoreCoordinator = try TestModel.coordinator(TestModel.library())
    main.performAndWait { _ = main.make("Author", ["name": "pending"]) }
    return main
  }

  @Test func aConfinedChildOnTheMainQueue() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      setenv("COREDATA_CONCURRENCYDEBUG", "1", 1)
      let child = try await MainActor.run {
        let child = ConfinementTests.confined()
        child.parent = try Self.mainContext()
        return child
      }
      try await MainActor.run { try Self.use(child) }
      try await child.parent?.perform { try Self.use(child) }
      // Where nobody runs the main loop, the main queue goes from thread to thread.
      let error: (any Error)? = await withCheckedContinuation { continuation in
        Thread.detachNewThread {
          do {
            try DispatchQueue.main.sync { try Self.use(child) }
            continuation.resume(returning: nil)
          } catch { continuation.resume(returning: error) }
        }
      }
      if let error { throw error }
    }
    #expect(ConfinementTests.text(result) == Self.startLine)
  }

  @Test func aConfinedChildOnAThreadOfItsOwn() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      setenv("COREDATA_CONCURRENCYDEBUG", "1", 1)
      let error: (any Error)? = await withCheckedContinuation { continuation in
        Thread.detachNewThread {
          do {
            let child = ConfinementTests.confined()
            child.parent = try Self.mainContext()
            // A save is run on the main queue: whatever thread has that must know that it is inside of the child, too.
            let token = NotificationCenter.default.addObserver(
              forName: .NSManagedObjectContextWillSave, object: child, queue: nil
            ) { _ in if !ContextStack.contains(child) { exit(5) } }
            try Self.use(child)
            NotificationCenter.default.removeObserver(token)
            continuation.resume(returning: nil)
          } catch { continuation.resume(returning: error) }
        }
      }
      if let error { throw error }
    }
    #expect(ConfinementTests.text(result) == Self.startLine)
  }

  // MARK: What it finds

  private static let name = _PropertyKey("name"), age = _PropertyKey("age"), weight = _PropertyKey("weight")
  private static let isbn = _PropertyKey("isbn"), author = _PropertyKey("author"), books = _PropertyKey("books")
  private static let title = _PropertyKey("title"), tags = _PropertyKey("tags"), price = _PropertyKey("price")

  /// Ways to use an author, its book, a new tag and their context, all of them off limits from outside.
  private static func accesses(
    _ context: NSManagedObjectContext, _ writer: NSManagedObject, _ book: NSManagedObject, _ tag: NSManagedObject,
    _ members: NSMutableSet
  ) -> [(String, () -> Void)] {
    let all = NSFetchRequest<NSManagedObject>(entityName: "Author")
    let id = writer.objectID
    let ages = NSBatchUpdateRequest(entityName: "Author")
    ages.propertiesToUpdate = ["age": 4]
    let saved = Notification(
      name: .NSManagedObjectContextDidSaveObjectIDs, object: nil, userInfo: [NSUpdatedObjectIDsKey: Set([id])])
    return [
      ("string", { let _: String? = writer._managedValue(name) }),
      ("plain string", { let _: String = book._managedValue(title) }),
      ("integer", { let _: Int16 = writer._managedValue(age) }),
      ("double", { let _: Double = book._managedValue(weight) }),
      ("UUID", { let _: UUID? = book._managedValue(isbn) }),
      ("decimal", { let _: NSDecimalNumber? = book._managedValue(price) }),
      ("to-one", { let _: NSManagedObject? = book._managedValue(author) }),
      ("to-many", { let _: Set<NSManagedObject> = writer._managedValue(books) }),
      ("NSSet", { let _: NSSet? = writer._managedValue(books) }),
      ("set string", { writer._setManagedValue("b" as String?, name) }),
      ("set integer", { writer._setManagedValue(3 as Int16, age) }),
      ("set double", { book._setManagedValue(2.5 as Double, weight) }),
      ("set UUID", { book._setManagedValue(UUID() as UUID?, isbn) }),
      ("set to-one", { book._setManagedValue(writer as NSManagedObject?, author) }),
      ("set to-many", { writer._setManagedValue([book] as Set<NSManagedObject>, books) }),
      ("add", { writer._managedAdd(book, books) }), ("remove", { writer._managedRemove(book, books) }),
      ("value(forKey:)", { _ = writer.value(forKey: "age") }),
      ("key path", { _ = book.value(forKeyPath: "author.name") }),
      ("setValue(forKey:)", { writer.setValue("c", forKey: "name") }),
      ("setValue(forKeyPath:)", { book.setValue("c", forKeyPath: "author.name") }),
      ("primitiveValue", { _ = writer.primitiveValue(forKey: "name") }),
      ("setPrimitiveValue", { writer.setPrimitiveValue("d", forKey: "name") }),
      ("dictionary", { _ = writer.dictionaryWithValues(forKeys: ["name"]) }),
      ("mutable set", { _ = writer.mutableSetValue(forKey: "books") }),
      ("members", { _ = members.count }), ("member", { _ = members.contains(book) }),
      ("add member", { members.add(book) }),
      ("willAccess", { writer.willAccessValue(forKey: "name") }),
      ("willChange", { writer.willChangeValue(forKey: "name") }),
      ("didChange", { writer.didChangeValue(forKey: "name") }),
      ("isFault", { _ = writer.isFault }), ("faultingState", { _ = writer.faultingState }),
      ("isInserted", { _ = writer.isInserted }), ("isUpdated", { _ = writer.isUpdated }),
      ("isDeleted", { _ = writer.isDeleted }), ("hasChanges", { _ = writer.hasChanges }),
      ("changedValues", { _ = writer.changedValues() }), ("committed", { _ = writer.committedValues(forKeys: nil) }),
      ("persistent changes", { _ = writer.hasPersistentChangedValues }),
      ("changes of the event", { _ = writer.changedValuesForCurrentEvent() }),
      ("member IDs", { _ = writer.objectIDs(forRelationshipNamed: "books") }), ("subscript", { _ = writer["name"] }),
      ("hasFault", { _ = writer.hasFault(forRelationshipNamed: "books") }),
      ("validate", { try? writer.validateValue("x", forKey: "name") }),
      ("validateForInsert", { try? writer.validateForInsert() }),
      ("validateForDelete", { try? writer.validateForDelete() }),
      ("fetch", { _ = try? context.fetch(all) }), ("count", { _ = try? context.count(for: all) }),
      ("execute", { _ = try? context.execute(ages) }),
      ("assign", { if let store = id.persistentStore { context.assign(tag, to: store) } }),
      ("detectConflicts", { context.detectConflicts(for: writer) }),
      ("mergeChanges", { context.mergeChanges(fromContextDidSave: saved) }),
      ("setQueryGeneration", { try? context.setQueryGenerationFrom(nil) }),
      ("queryGenerationToken", { _ = context.queryGenerationToken }),
      ("undo", { context.undo() }), ("redo", { context.redo() }),
      ("save", { try? context.save() }), ("has changes", { _ = context.hasChanges }),
      ("inserted", { _ = context.insertedObjects }), ("updated", { _ = context.updatedObjects }),
      ("deleted", { _ = context.deletedObjects }), ("registered", { _ = context.registeredObjects }),
      ("registeredObject", { _ = context.registeredObject(for: id) }), ("object", { _ = context.object(with: id) }),
      ("existingObject", { _ = try? context.existingObject(with: id) }),
      ("insert", { context.insert(writer) }), ("new", { _ = context.make("Author") }),
      ("refresh", { context.refresh(writer, mergeChanges: true) }), ("refreshAll", { context.refreshAllObjects() }),
      ("process", { context.processPendingChanges() }), ("obtain", { try? context.obtainPermanentIDs(for: [writer]) }),
      ("userInfo", { _ = context.userInfo }), ("delete", { context.delete(book) }),
      ("rollback", { context.rollback() }),
      ("reset", { context.reset() }),
    ]
  }

  /// Every one of them is found, from no context's block and from another context's.
  @Test(arguments: [false, true]) func everyAccessIsFound(insideAnother: Bool) async {
    await #expect(processExitsWith: .success) { [insideAnother] in
      runtime_set_concurrency_check(1)
      let violations = Mutex<[String]>([])
      ConcurrencyCheck.listener.withLock { $0 = { text in violations.withLock { $0.append(text) } } }
      let context = try Self.library(.sqlite), other = try Self.library(.sqlite)
      let (author, book, tag, members) = try context.performAndWait {
        let author = context.make("Author", ["name": "a", "age": 3])
        let book = context.make("Book", ["title": "t", "author": author])
        try context.save()
        return (author, book, context.make("Tag", ["name": "t"]), author.mutableSetValue(forKey: "books"))
      }
      #expect(violations.withLock { $0 } == [])
      var missed: [String] = []
      // Nothing else is under way, so that what is found may be done all the same.
      for (what, access) in Self.accesses(context, author, book, tag, members) {
        violations.withLock { $0 = [] }
        if insideAnother { other.performAndWait(access) } else { access() }
        if violations.withLock({ $0.isEmpty }) { missed.append(what) }
      }
      #expect(missed == [], "\(missed)")
      violations.withLock { $0 = [] }
      // These may be asked for from every thread.
      _ = (author.objectID, author.managedObjectContext, author.entity, author.description, author.hash, author == book)
      _ = author.value(forKey: "objectID")
      (context.name, context.transactionAuthor) = ("n", "t")
      _ = (context.name, context.persistentStoreCoordinator, context.concurrencyType, context.description)
      context.later {}
      context.performAndWait {}
      _ = await context.perform { 1 }
      #expect(violations.withLock { $0 } == [])
      ConcurrencyCheck.listener.withLock { $0 = nil }
      exit(missed.isEmpty && violations.withLock { $0.isEmpty } ? 0 : 1)
    }
  }

  // MARK: What it lets pass

  /// A program that keeps to the rules, in all ways there are.
  @Test func whatIsRightPasses() async {
    await #expect(processExitsWith: .success) {
      setenv("COREDATA_CONCURRENCYDEBUG", "1", 1)
      let coordinator = try TestModel.coordinator(TestModel.library())
      let context = TestModel.context(coordinator), other = TestModel.context(coordinator)
      guard ConcurrencyCheck.isOn else { exit(2) }
      let id = try await context.perform {
        let author = context.make("Author", ["name": "a", "age": 1])
        for number in 0..<10 { _ = context.make("Book", ["title": "\(number)", "author": author]) }
        try context.save()
        return author.objectID
      }
      // Inside of one context another is used by its own block, and the first again.
      try other.performAndWait {
        let author = try other.existingObject(with: id)
        #expect(author.value(forKeyPath: "books.@count") as? Int == 10)
        try context.performAndWait {
          let same = try context.existingObject(with: id)
          same.setValue("b", forKey: "name")
          for case let book as NSManagedObject in same.mutableSetValue(forKey: "books").allObjects.prefix(3) {
            context.delete(book)
          }
          context.processPendingChanges()
          try context.save()
          other.performAndWait { other.refresh(author, mergeChanges: false) }
        }
        #expect(author.value(forKey: "name") as? String == "b")
        other.reset()
      }
      // The main queue, by itself and by way of others.
      let main = NSManagedObjectContext(.mainQueue), second = NSManagedObjectContext(.mainQueue)
      main.persistentStoreCoordinator = coordinator
      second.persistentStoreCoordinator = coordinator
      try await MainActor.run {
        let author = try main.existingObject(with: id)
        author.setValue(7, forKey: "age")
        try main.save()
        try context.performAndWait { _ = try main.all("Book") }
        try second.performAndWait { try main.performAndWait { _ = try second.all("Book").map(\.isFault) } }
      }
      try context.performAndWait { try main.performAndWait { _ = try second.all("Book") } }
      // Threads that wait crosswise act for each other.
      let meeting = DispatchSemaphore(value: 0), back = DispatchSemaphore(value: 0)
      Soak.threads(2) { number in
        let (mine, theirs) = number == 0 ? (context, other) : (other, context)
        try mine.performAndWait {
          (number == 0 ? meeting : back).signal()
          (number == 0 ? back : meeting).wait()
          try theirs.performAndWait { _ = try theirs.all("Book").map { $0.value(forKey: "title") } }
        }
      }
      // Objects are let go of anywhere, also after their context.
      for _ in 0..<20 {
        var kept: [NSManagedObject]? = try other.performAndWait { try other.all("Book") }
        nonisolated(unsafe) let objects = kept
        kept = nil
        Soak.threads(1) { _ in _ = objects?.count }
      }
      var gone: NSManagedObjectContext? = TestModel.context(coordinator)
      let left = try gone?.performAndWait { try gone?.all("Author") ?? [] }
      gone = nil
      #expect(left?.first?.managedObjectContext == nil && left?.first?.hasChanges == false)
      // Bare objects belong to nobody.
      let bare = NSManagedObject(entity: coordinator.managedObjectModel.entitiesByName["Author"]!, insertInto: nil)
      bare.setValue("x", forKey: "name")
      other.performAndWait { other.insert(bare) }
      let container = NSPersistentContainer(name: "Check", managedObjectModel: TestModel.library())
      container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: URL(fileURLWithPath: "/dev/null"))]
      container.loadPersistentStores { _, error in if error != nil { exit(3) } }
      let count = try await container.performBackgroundTask { context in
        _ = context.make("Tag", ["name": "t"])
        try context.save()
        return try context.all("Tag").count
      }
      exit(count == 1 ? 0 : 4)
    }
  }

  /// A confinement context may be shared by those who take turns.
  @Test func aLockedContextIsTheirs() async {
    await #expect(processExitsWith: .success) {
      setenv("COREDATA_CONCURRENCYDEBUG", "1", 1)
      let context = NSManagedObjectContext(concurrencyType: NSManagedObjectContextConcurrencyType(rawValue: 0)!)
      _ = context.hasChanges
      Soak.threads(1) { _ in
        context.exclusion.enter()
        _ = context.hasChanges
        context.exclusion.leave()
      }
    }
  }
}

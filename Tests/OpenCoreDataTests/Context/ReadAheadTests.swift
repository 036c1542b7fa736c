import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// The members of many owners, walked without prefetching: keys and rows are read ahead, as far as the walk uses them.
@Suite struct ReadAheadTests {
  private let coordinator: NSPersistentStoreCoordinator
  private let context: NSManagedObjectContext

  /// Authors of three books each.
  init() throws { (coordinator, context) = try Self.stack(authors: 100, books: 3) }

  private static func stack(authors: Int, books: Int) throws -> (NSPersistentStoreCoordinator, NSManagedObjectContext) {
    let coordinator = try TestModel.coordinator(TestModel.library())
    let context = TestModel.context(coordinator)
    try context.performAndWait { () throws in
      for number in 0..<authors {
        let author = context.make("Author", ["name": "\(number)"])
        for place in 0..<books { _ = context.make("Book", ["title": "\(number).\(place)", "author": author]) }
      }
      try context.save()
      context.reset()
    }
    coordinator.emptyRowCache()
    return (coordinator, context)
  }

  private func authors() throws -> [NSManagedObject] {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Author")
    request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
    return try context.fetch(request)
  }

  private func titles(_ author: NSManagedObject) -> Set<String> {
    let books = author.value(forKey: "books") as? Set<NSManagedObject> ?? []
    return Set(books.compactMap { $0.value(forKey: "title") as? String })
  }

  private func expected(_ author: NSManagedObject, books: Int = 3) -> Set<String> {
    let name = author.value(forKey: "name") as? String ?? ""
    return Set((0..<books).map { "\(name).\($0)" })
  }

  private func selects(_ work: () throws -> Void) rethrows -> [String] {
    try StatementLog.collect(thisThread: true, work).statements.filter { $0.hasPrefix("SELECT") }
  }

  @Test func aWalkReadsTwiceAsManyOwnersEachTime() throws {
    try context.performAndWait { () throws in
      let authors = try authors()
      let statements = selects { for author in authors { #expect(titles(author) == expected(author)) } }
      // Of 1, 2, 4, 8, 16, 32 and the last 37 owners.
      #expect(statements.filter { $0.contains("t0.ZAUTHOR, t0.Z_PK") }.count == 7, "\(statements)")
      // The rows of as many members.
      #expect(statements.filter { $0.contains("t0.ZTITLE") }.count <= 8, "\(statements)")
    }
  }

  @Test func oneOwnerReadsItsOwnMembersAlone() throws {
    try context.performAndWait { () throws in
      let author = try authors()[50]
      let statements = selects { #expect(titles(author) == expected(author)) }
      #expect(statements.count == 2 && statements[0].contains("WHERE t0.ZAUTHOR = ?"), "\(statements)")
    }
  }

  /// Owners far apart are no walk: nothing is read that is not asked for.
  @Test func jumpsReadNothingAhead() throws {
    try context.performAndWait { () throws in
      let authors = try authors()
      for place in [10, 60, 30, 90, 0, 75] {
        let statements = selects { #expect(titles(authors[place]) == expected(authors[place])) }
        #expect(statements.first?.contains("WHERE t0.ZAUTHOR = ?") == true, "\(statements)")
      }
    }
  }

  @Test func ownersOfManyMembersAreReadInSmallerNumbers() throws {
    let layout = try #require(coordinator.managedObjectModel.entitiesByName["Author"]).layout
    let ahead = RelationshipReadAhead(), all = ContiguousArray<Int64>(1...100)
    var counts: [Int] = [], next: Int64 = 1
    while next <= 100 {
      let owners = ahead.owners(with: next, of: all, limit: 256) { _ in false }
      let members = KeyArray(ascending: ContiguousArray(1...900), entities: [], commit: 0)
      let found = Dictionary(uniqueKeysWithValues: owners.map { ($0, members) })
      ahead.note(found, at: 1, layout: layout, origin: nil, keyLimit: 9000)
      counts.append(owners.count)
      next += Int64(owners.count)
    }
    #expect(counts == [1, 2, 4, 8] + Array(repeating: 10, count: 8) + [5])
  }

  /// The cache takes no keys that were read before another context's save; the walk reads none of them twice.
  @Test func aWalkBesideAnotherContextsSave() throws {
    try #require(coordinator.sqlStores.first).readers.idleNanoseconds = .max
    let writer = TestModel.context(coordinator)
    try context.performAndWait { () throws in
      let authors = try authors()
      try writer.performAndWait { () throws in
        _ = writer.make("Book", ["title": "new"])
        try writer.save()
      }
      let statements = selects { for author in authors { #expect(titles(author) == expected(author)) } }
      #expect(statements.count <= 16, "\(statements.count)")
    }
  }

  @Test func whatWasChangedMeanwhileIsThere() throws {
    let other = TestModel.context(coordinator)
    try context.performAndWait { () throws in
      let authors = try authors()
      for author in authors[..<3] { #expect(titles(author) == expected(author)) }
      // The keys of the fourth have been read ahead.
      let id = authors[3].objectID
      try other.performAndWait { () throws in
        _ = other.make("Book", ["title": "new", "author": other.object(with: id)])
        try other.save()
      }
      context.refreshAllObjects()
      #expect(titles(authors[3]) == expected(authors[3]).union(["new"]))
      let book = context.make("Book", ["title": "pending", "author": authors[4]])
      #expect(titles(authors[4]) == expected(authors[4]).union(["pending"]))
      context.delete(book)
      context.processPendingChanges()
      #expect(titles(authors[4]) == expected(authors[4]))
    }
  }

  /// Walks in any order, with and without reading ahead, give the same.
  @Test func anyOrder() throws {
    let seed = UInt64.random(in: 1 ... .max)
    print("read ahead: seed \(seed)")
    var random = SeededGenerator(seed: seed)
    for _ in 0..<5 {
      try context.performAndWait { () throws in
        context.reset()
        if Bool.random(using: &random) { coordinator.emptyRowCache() }
        context.faultBatchSize = [1, 3, 16, 256].randomElement(using: &random) ?? 256
        let authors = try authors()
        var place = 0
        for _ in 0..<200 {
          place =
            Int.random(in: 0..<4, using: &random) == 0 ? Int.random(in: 0..<100, using: &random) : (place + 1) % 100
          if Int.random(in: 0..<10, using: &random) == 0 { context.refresh(authors[place], mergeChanges: false) }
          #expect(titles(authors[place]) == expected(authors[place]))
        }
      }
    }
  }

  /// Each level's fault batch holds that of the next one: a thread's stack is not as deep.
  @Test func longChainsOfReadAheadsAreLetGo() throws {
    try context.performAndWait { () throws in
      let layout = try #require(coordinator.managedObjectModel.entitiesByName["Author"]).layout
      let slot = try #require(layout.slot(named: "books"))
      let first = FaultBatch([1, 2, 3], layout: layout)
      var last = first
      for _ in 0..<100_000 {
        let ahead = last.readAhead(slot)
        _ = ahead.owners(with: 1, of: [1, 2, 3], limit: 256) { _ in false }
        _ = ahead.owners(with: 2, of: [1, 2, 3], limit: 256) { _ in false }
        ahead.note(
          [2: KeyArray(ascending: [7], entities: [], commit: 0)], at: 1, layout: layout, origin: nil, keyLimit: 9
        )
        last = try #require(last.memberBatch(of: 2, slot))
      }
      withExtendedLifetime(first) {}
    }
  }
}

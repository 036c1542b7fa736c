import CoreData
import Synchronization
import Testing

@_spi(Store) @testable import OpenCoreData

/// Values in files that another stack or process replaces: whoever reads finds the old value or the new one.
@Suite struct ReplacedElsewhereTests {
  typealias Fixture = ExternalFixture
  private static let old = Fixture.large
  private static let new = Fixture.bytes(150_000, 2)

  private func store(_ names: [String]) throws -> Fixture {
    let store = try Fixture()
    try store.inContext { context in
      for name in names { _ = context.make("Picture", ["name": name, "data": Self.old]) }
      try context.save()
    }
    return store
  }

  /// A second stack, whose read transactions stay open until they end.
  private func second(_ store: Fixture) throws -> Fixture {
    let other = try Fixture(at: store.file)
    try #require(other.coordinator.sqlStores.first).readers.idleNanoseconds = .max
    return other
  }

  /// The objects, as faults whose rows nobody has read, in a transaction that is open.
  private func faults(_ context: NSManagedObjectContext) throws -> [NSManagedObject] {
    let request = NSFetchRequest<NSManagedObjectID>(entityName: "Picture")
    request.resultType = .managedObjectIDResultType
    request.includesPropertyValues = false
    request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
    return try context.fetch(request).map(context.object)
  }

  @Test func aReaderElsewhereFindsTheValueOfItsState() throws {
    let store = try store(["a"]), other = try second(store)
    try other.inContext { reader in
      let picture = try #require(try faults(reader).first)
      try store.inContext { writer in
        try writer.named("a", "Picture").setValue(Self.new, forKey: "data")
        try writer.save()
      }
      #expect(picture.value(forKey: "data") as? Data == Self.old)
      #expect(store.files().count == 2)
    }
    // Nobody needs the old file any more.
    try store.coordinator.remove(store.coordinator.persistentStores[0])
    #expect(try store.files() == store.references() && store.files().count == 1)
  }

  @Test func aGenerationElsewhereFindsTheValueOfItsState() throws {
    let store = try store(["a"]), other = try second(store)
    try other.inContext { reader in
      try reader.setQueryGenerationFrom(.current)
      let picture = try #require(try faults(reader).first)
      try store.inContext { writer in
        writer.delete(try writer.named("a", "Picture"))
        try writer.save()
      }
      #expect(picture.value(forKey: "data") as? Data == Self.old)
    }
  }

  /// As a version did that knew of no readers but its own: all at once, and the files are gone.
  private func replaceWithoutRegard(_ names: [String], in store: Fixture, removing removed: [String]) throws {
    let values = Dictionary(
      uniqueKeysWithValues: try store.sql("SELECT ZNAME, CAST(substr(ZDATA, 2, 36) AS TEXT) FROM ZPICTURE").map {
        ($0[0] ?? "", $0[1] ?? "")
      })
    let connection = try SQLiteConnection(
      path: store.file.path, readOnly: false, create: false, timeout: 5, pragmas: [])
    try connection.execute("BEGIN IMMEDIATE")
    for name in names {
      let reference = ExternalReference()
      try Self.new.write(to: store.folder.appendingPathComponent(reference.name))
      try connection.execute(
        "UPDATE ZPICTURE SET ZDATA = CAST(x'02' || '\(reference.name)' || x'00' AS BLOB), Z_OPT = Z_OPT + 1 "
          + "WHERE ZNAME = '\(name)'")
    }
    try connection.execute("COMMIT")
    for name in removed {
      try FileManager.default.removeItem(at: store.folder.appendingPathComponent(try #require(values[name])))
    }
  }

  @Test func aRowWhoseFileIsGoneIsReadAgain() throws {
    let store = try store(["a", "b"]), other = try second(store)
    try other.inContext { reader in
      let pictures = try faults(reader)
      try replaceWithoutRegard(["a"], in: store, removing: ["a"])
      #expect(pictures.map { $0.value(forKey: "data") as? Data } == [Self.new, Self.old])
    }
  }

  /// Rows that are read together belong to one state, though the file of one of them is still there.
  @Test func allThatIsReadBelongsToOneState() throws {
    let store = try store(["a", "b"]), other = try second(store)
    try other.inContext { reader in
      let request = NSFetchRequest<NSManagedObject>(entityName: "Picture")
      request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
      request.fetchBatchSize = 2
      let pictures = try reader.fetch(request)
      try replaceWithoutRegard(["a", "b"], in: store, removing: ["b"])
      #expect(pictures.map { $0.value(forKey: "data") as? Data } == [Self.new, Self.new])
    }
  }

  /// A condition that SQL evaluates opens the file, too.
  @Test func whatSQLReadsIsReadAgain() throws {
    enum Question: CaseIterable { case count, keys, rows, dictionaries, numberOfDictionaries, groups }
    for question in Question.allCases {
      let store = try store(["a", "b"]), other = try second(store)
      try other.inContext { reader in
        let sqlite = try #require(other.coordinator.sqlStores.first)
        _ = try faults(reader)
        try replaceWithoutRegard(["a"], in: store, removing: ["a"])
        // In the transaction that is open, which knows of the old file.
        let request = NSFetchRequest<NSDictionary>(entityName: "Picture")
        request.predicate = NSPredicate(format: "data == %@", Self.new as NSData)
        if question == .dictionaries || question == .numberOfDictionaries {
          request.resultType = .dictionaryResultType
          request.propertiesToFetch = ["name"]
        }
        var target = try FetchTarget(request, in: reader)
        target.isContinued = true
        let transaction = reader.reads.transaction(on: sqlite)
        let found: Int
        switch question {
        case .count: found = try sqlite.selectCount(target, transaction: transaction)
        case .keys: found = try sqlite.selectKeys(target, transaction: transaction).keys.count
        case .rows: found = try sqlite.selectRows(target, transaction: transaction).keys.count
        case .dictionaries:
          found = try sqlite.selectDictionaries(
            target, #require(target.dictionaries), transaction: transaction
          ).count
        case .numberOfDictionaries:
          found = try sqlite.countValues(target, #require(target.dictionaries), transaction: transaction)
        case .groups:
          let name = try #require(
            other.coordinator.managedObjectModel.entitiesByName["Picture"]?.attributesByName["name"])
          var groups: [Int] = []
          try sqlite.countGroups(
            target, by: "name", of: name, NSSortDescriptor(key: "name", ascending: true), transaction: transaction
          ) { groups.append($1) }
          found = groups.reduce(0, +)
        }
        #expect(found == 1, "\(question)")
      }
    }
  }

  /// A file that is lost has its row not found, in the first attempt already.
  @Test func whatIsLostIsNotLookedForAgain() throws {
    let store = try store(["a", "b"]), other = try second(store)
    try other.inContext { reader in
      let lost = try store.sql("SELECT CAST(substr(ZDATA, 2, 36) AS TEXT) FROM ZPICTURE WHERE ZNAME = 'a'")[0][0]
      try FileManager.default.removeItem(at: store.folder.appendingPathComponent(try #require(lost)))
      let request = NSFetchRequest<NSManagedObject>(entityName: "Picture")
      request.predicate = NSPredicate(format: "data == %@", Self.old as NSData)
      func selects<Result>(_ body: () throws -> Result) throws -> (Result, Int) {
        let (result, statements) = try StatementLog.collect(thisThread: true, body)
        return (result, statements.count { $0.hasPrefix("SELECT") && $0.contains("ZPICTURE") })
      }
      let (found, counts) = try selects { try reader.count(for: request) }
      #expect(found == 1 && counts == 1)
      let (names, count) = try selects { try reader.fetch(request).map { $0.value(forKey: "name") as? String } }
      #expect(names == ["b"] && count == 1)
    }
  }

  /// Two stacks, one of which replaces a value all the time.
  @Test func noReadFindsNil() throws {
    let store = try store(["a"]), other = try Fixture(at: store.file)
    let replacements = 40 * Soak.factor
    let isOver = Mutex(false)
    Soak.threads(2) { number in
      if number == 0 {
        defer { isOver.withLock { $0 = true } }
        for round in 0..<replacements {
          try store.inContext { writer in
            try writer.named("a", "Picture").setValue(
              Fixture.bytes(150_000, UInt8(truncatingIfNeeded: round)), forKey: "data")
            try writer.save()
          }
        }
      } else {
        while !isOver.withLock({ $0 }) {
          try other.inContext { reader in
            for picture in try faults(reader) { #expect((picture.value(forKey: "data") as? Data)?.count == 150_000) }
          }
        }
      }
    }
  }
}

import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// What stores of one model share, and what a file has of its own.
struct SharedMappingTests {
  private let model = TestModel.library()

  private func open(_ url: URL) throws -> (context: NSManagedObjectContext, store: SQLiteStore) {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let store = try coordinator.addPersistentStore(type: .sqlite, at: url)
    return (TestModel.context(coordinator), try #require(store as? SQLiteStore))
  }

  /// A book with two tags.
  private func fill(_ context: NSManagedObjectContext) throws {
    try context.performAndWait {
      let book = context.insert("Book", ["title": "one"])
      for name in ["a", "b"] { book.mutableSetValue(forKey: "tags").add(context.insert("Tag", ["name": name])) }
      try context.save()
    }
  }

  private func tags(_ context: NSManagedObjectContext) throws -> [Int] {
    try context.performAndWait {
      context.reset()
      return try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Book")).map {
        ($0.value(forKey: "tags") as? Set<NSManagedObject>)?.count ?? 0
      }
    }
  }

  @Test func storesOfOneModelShareTheMapping() throws {
    let (first, second) = (try TestModel.temporaryFile("First.sqlite"), try TestModel.temporaryFile("Second.sqlite"))
    let one = try open(first), other = try open(second)
    try fill(one.context)
    try fill(other.context)
    #expect(try tags(one.context) == [2] && tags(other.context) == [2])
    // Both files have their tables by now; when they were made, neither had.
    let third = try open(first), fourth = try open(second)
    #expect(third.store.schema === fourth.store.schema)
    #expect(try tags(third.context) == [2] && tags(fourth.context) == [2])
    #expect(
      try NSPersistentStoreCoordinator(managedObjectModel: TestModel.library()).sqlite(first).schema
        !== third.store.schema)
  }

  /// A join table has its column under another name in one file, as another version may have chosen it.
  @Test(.enabled(if: Shell.hasSQLite, "sqlite3 is not there")) func aFileKeepsNamesOfItsOwn() throws {
    let (first, second) = (try TestModel.temporaryFile("First.sqlite"), try TestModel.temporaryFile("Second.sqlite"))
    for url in [first, second] {
      let opened = try open(url)
      try fill(opened.context)
      try opened.context.persistentStoreCoordinator?.remove(opened.store)
    }
    let plain = try open(first)
    let join = try #require(plain.store.schema.tables.flatMap(\.joinTables).first)
    try Shell.sql(
      second, "ALTER TABLE \(join.name) RENAME COLUMN \(join.destinationColumn) TO \(join.destinationColumn)1")
    let own = try open(second), again = try open(first)
    #expect(again.store.schema === plain.store.schema && own.store.schema !== plain.store.schema)
    let name = own.store.schema.tables.flatMap(\.joinTables).first?.destinationColumn
    #expect(name == join.destinationColumn + "1")
    for opened in [plain, own, again] { #expect(try tags(opened.context) == [2]) }
    try fill(own.context)
    #expect(try tags(own.context) == [2, 2] && tags(plain.context) == [2])
  }

  /// The mapping knows the model's entities, and the model knows the mapping.
  @Test func aModelThatNobodyHasIsReleased() throws {
    weak var released: NSManagedObjectModel?
    try {
      let model = TestModel.library()
      released = model
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
      try coordinator.remove(coordinator.sqlite(TestModel.temporaryFile()))
    }()
    #expect(released == nil)
  }
}

extension NSPersistentStoreCoordinator {
  fileprivate func sqlite(_ url: URL) throws -> SQLiteStore {
    try #require(try addPersistentStore(type: .sqlite, at: url) as? SQLiteStore)
  }
}

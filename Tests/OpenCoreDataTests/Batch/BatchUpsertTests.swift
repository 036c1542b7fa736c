import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// Rows of a batch insert whose values must be unique and are taken.
@Suite struct BatchUpsertTests {
  private func coordinator(_ store: TestStore, _ url: URL? = nil) throws -> NSPersistentStoreCoordinator {
    let coordinator = try store.coordinator(BatchModel.products(unique: true), url: url)
    try coordinator.inContext { context in
      let shop = context.make("Shop")
      _ = context.make("Product", ["name": "A", "code": 1, "stock": 8, "weight": 2, "shop": shop])
      _ = context.make("Book", ["name": "B", "code": 2, "pages": 300])
      try context.save()
    }
    return coordinator
  }

  private func insert(_ rows: [[String: Any]], into context: NSManagedObjectContext) throws -> Int? {
    try context.insertBatch(NSBatchInsertRequest(entityName: "Product", objects: rows)) as? Int
  }

  @Test(arguments: TestStore.all(that: .batchUpdates)) func theErrorPolicyNamesTheConflict(_ store: TestStore) throws {
    try coordinator(store).inContext { context in
      let error = #expect(throws: NSError.self) {
        try insert([["name": "C"], ["name": "A", "stock": 1]], into: context)
      }
      #expect(error?.domain == NSCocoaErrorDomain && error?.code == NSManagedObjectConstraintMergeError)
      let conflicts = try #require(error?.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSConstraintConflict])
      #expect(conflicts.count == 1)
      #expect(conflicts[0].constraint == ["name"] && conflicts[0].constraintValues["name"] as? String == "A")
      let taken = try context.named("A", "Product")
      #expect(conflicts[0].databaseObject === taken)
      #expect(conflicts[0].databaseSnapshot?["stock"] as? Int == 8)
      #expect(conflicts[0].conflictingObjects.map { $0.number("stock") } == [1])
      #expect(try context.count("Product") == 2)
      // Within one batch there is no row yet.
      let second = #expect(throws: NSError.self) {
        try insert([["name": "C", "stock": 4], ["name": "C", "stock": 5]], into: context)
      }
      let own = try #require(
        (second?.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSConstraintConflict])?.first)
      #expect(own.databaseObject == nil && own.conflictingObjects.map { $0.number("stock") } == [4, 5])
    }
  }

  @Test(arguments: [
    (NSMergePolicyType.mergeByPropertyStoreTrumpMergePolicyType, 8, 1), (.rollbackMergePolicyType, 8, 1),
    (.mergeByPropertyObjectTrumpMergePolicyType, 8, 7), (.overwriteMergePolicyType, 3, 7),
  ])
  func thePolicyDecidesWhatTheRowHas(type: NSMergePolicyType, stock: Int, code: Int) throws {
    let url = try TestModel.temporaryFile()
    let coordinator = try coordinator(.sqlite, url)
    let isUpsert = code == 7
    try coordinator.inContext { context in
      context.mergePolicy = NSMergePolicy(merge: type)
      let a = try context.named("A", "Product")
      _ = a.number("code")
      let count = try insert([["name": "A", "code": 7, "weight": 5], ["name": "D"]], into: context)
      #expect(count == (isUpsert ? 2 : 1))
      context.refreshAllObjects()
      #expect(a.number("stock") == stock && a.number("code") == code && a.one("shop") != nil)
      #expect(a.one("shop")?.value(forKey: "weight") as? Double == (isUpsert ? 5 : 2))
      #expect(try context.names("Product") == ["A", "B", "D"])
      // A row of a subentity keeps what this entity does not have.
      _ = try insert([["name": "B", "stock": 6]], into: context)
      context.refreshAllObjects()
      let book = try context.named("B", "Book")
      #expect(book.number("pages") == 300 && book.number("stock") == (isUpsert ? 6 : 3))
    }
    #expect(try StoreCheck.errors(url, model: BatchModel.products(unique: true)).isEmpty)
  }

  private final class OwnPolicy: NSMergePolicy {
    override func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
      Issue.record("Not asked for the rows of a batch.")
    }
  }

  @Test(
    arguments: [
      (NSMergePolicyType.mergeByPropertyStoreTrumpMergePolicyType, 8), (.mergeByPropertyObjectTrumpMergePolicyType, 5),
      (.overwriteMergePolicyType, 5), (.rollbackMergePolicyType, 8),
    ], TestStore.all(that: .batchUpdates))
  func ofAPolicyOfOnesOwnTheTypeCounts(_ row: (type: NSMergePolicyType, stock: Int), _ store: TestStore) throws {
    let (type, stock) = row
    try coordinator(store).inContext { context in
      context.mergePolicy = OwnPolicy(merge: type)
      let count = try insert([["name": "A", "stock": 5]], into: context)
      #expect(count == (stock == 5 ? 1 : 0))
      let row = try context.named("A", "Product")
      #expect(row.number("stock") == stock)
      context.mergePolicy = OwnPolicy(merge: .errorMergePolicyType)
      #expect(throws: NSError.self) { try insert([["name": "A", "stock": 6]], into: context) }
    }
  }

  @Test(arguments: TestStore.all(that: .batchUpdates))
  func aRowThatTwoOthersHaveTheValuesOfIsAConflict(_ store: TestStore) throws {
    try coordinator(store).inContext { context throws in
      context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      let error = #expect(throws: NSError.self) {
        try insert([["name": "E"], ["name": "A", "code": 2]], into: context)
      }
      #expect(error?.code == NSManagedObjectConstraintMergeError)
      // What is a product only cannot become a book.
      let other = #expect(throws: NSError.self) {
        try context.insertBatch(NSBatchInsertRequest(entityName: "Book", objects: [["name": "A"]]))
      }
      #expect(other?.code == NSManagedObjectConstraintMergeError)
      #expect(try context.names("Product") == ["A", "B"])
    }
  }

  /// Under object trump a batch of rows leaves what the same rows leave one by one.
  @Test(arguments: RandomSeeds.seeds(6)) func randomUpsertsAreWhatADictionaryMakesOfThem(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let url = try TestModel.temporaryFile()
    let model = BatchModel.products(unique: true)
    let coordinator = try TestModel.coordinator(model, url: url)
    var expected: [String: (stock: Int, rank: Int?)] = [:]
    for _ in 0..<10 {
      var rows: [[String: Any]] = []
      for _ in 0..<Int.random(in: 0...40, using: &random) {
        let name = "N\(Int.random(in: 0...20, using: &random))"
        var row: [String: Any] = ["name": name]
        let stock = Bool.random(using: &random) ? Int.random(in: 0...9, using: &random) : nil
        let rank = Bool.random(using: &random) ? Int.random(in: 0...9, using: &random) : nil
        row["stock"] = stock
        row["rank"] = rank
        let known = expected[name]
        expected[name] = (stock ?? known?.stock ?? 3, rank ?? known?.rank)
        rows.append(row)
      }
      try coordinator.inContext { context in
        context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        #expect(try insert(rows, into: context) == rows.count)
        let products = try context.all("Product")
        #expect(products.count == expected.count)
        for product in products {
          let wanted = try #require(expected[product.text("name") ?? ""])
          #expect(product.number("stock") == wanted.stock && product.number("rank") == wanted.rank)
        }
      }
      #expect(try StoreCheck.errors(url, model: model).isEmpty)
    }
  }
}

import CoreData
import Foundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// A decimal number that is not a number is kept, as the text 'NaN' in a SQLite store.
@Suite struct NotANumberTests {
  private static func model(_ type: NSAttributeType = .decimalAttributeType) -> NSManagedObjectModel {
    let model = NSManagedObjectModel()
    model.entities = [
      TestModel.entity(
        "Price", [TestModel.attribute("name", .stringAttributeType), TestModel.attribute("amount", type)])
    ]
    return model
  }

  private func amounts(_ context: NSManagedObjectContext) throws -> [String: NSNumber?] {
    try context.performAndWait {
      let prices = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Price"))
      return Dictionary(
        prices.map { ($0.value(forKey: "name") as? String ?? "", $0.value(forKey: "amount") as? NSNumber) },
        uniquingKeysWith: { $1 })
    }
  }

  /// One price that is not a number, one that is 1.5, and one without an amount.
  private func fill(_ coordinator: NSPersistentStoreCoordinator) throws {
    let context = TestModel.context(coordinator)
    try context.performAndWait {
      for (name, amount) in [
        ("none", nil), ("nan", NSDecimalNumber.notANumber), ("some", NSDecimalNumber(string: "1.5")),
      ] {
        let price = NSEntityDescription.insertNewObject(forEntityName: "Price", into: context)
        price.setValue(name, forKey: "name")
        price.setValue(amount, forKey: "amount")
      }
      try context.save()
    }
  }

  private func check(_ context: NSManagedObjectContext) throws {
    let amounts = try amounts(context)
    #expect(amounts["nan"]??.decimalValue.isNaN == true)
    #expect(amounts["some"] == NSDecimalNumber(string: "1.5") && amounts["none"] == .some(nil))
    try context.performAndWait { () throws in
      func names(_ format: String, _ arguments: Any...) throws -> [String] {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Price")
        request.predicate = NSPredicate(format: format, argumentArray: arguments)
        return try context.fetch(request).compactMap { $0.value(forKey: "name") as? String }.sorted()
      }
      #expect(try names("amount == nil") == ["none"])
      #expect(try names("amount != nil") == ["nan", "some"])
      let nan = NSDecimalNumber.notANumber
      #expect(try names("amount == %@", nan) == ["nan"])
      #expect(try names("%@ == amount", nan) == ["nan"])
      #expect(try names("amount != %@", nan) == ["none", "some"])
      #expect(try names("amount IN %@", [nan, 2]) == ["nan"])
      #expect(try names("NOT amount IN %@", [nan, 2]) == ["none", "some"])
      #expect(try names("amount < %@", nan) == ["some"])
      #expect(try names("amount <= %@", nan) == ["nan", "some"])
      #expect(try names("amount > %@", nan) == [])
      #expect(try names("amount > 1") == ["nan", "some"])
      #expect(try names("amount > 1.25") == ["nan", "some"])
      #expect(try names("amount > %@", NSDecimalNumber(string: "1.5")) == ["nan"])
      #expect(try names("amount < 2") == ["some"])
      #expect(try names("amount BETWEEN {1, 2}") == ["some"])
      for ascending in [true, false] {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Price")
        request.sortDescriptors = [NSSortDescriptor(key: "amount", ascending: ascending)]
        let names = try context.fetch(request).compactMap { $0.value(forKey: "name") as? String }
        #expect(names == (ascending ? ["none", "some", "nan"] : ["nan", "some", "none"]))
      }
    }
  }

  /// A Double that is not a number equals nothing and has no order; a decimal that is not one is greater than all numbers.
  @Test(
    arguments: TestStore.all, [NSAttributeType.decimalAttributeType, .doubleAttributeType, .integer64AttributeType])
  func constantsAreComparedAsInMemory(_ store: TestStore, _ type: NSAttributeType) throws {
    let context = TestModel.context(try store.coordinator(Self.model(type)))
    try context.performAndWait {
      for (name, amount) in [("none", nil), ("some", NSNumber(value: 1))] {
        let price = NSEntityDescription.insertNewObject(forEntityName: "Price", into: context)
        price.setValue(name, forKey: "name")
        price.setValue(
          type == .decimalAttributeType ? amount.map { _ in NSDecimalNumber.one } : amount, forKey: "amount")
      }
      try context.save()
      let prices = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Price"))
      // In a server, NaN of any type is greater than all numbers (D-PSQ-02).
      let constants: [NSNumber] =
        store.type == TestStore.sqlite.type
        ? [NSDecimalNumber.notANumber, NSNumber(value: Double.nan)] : [.init(value: 1)]
      for constant in constants {
        for test in ["==", "!=", "<", "<=", ">", ">="] {
          let request = NSFetchRequest<NSManagedObject>(entityName: "Price")
          let predicate = NSPredicate(format: "amount \(test) %@", constant)
          request.predicate = predicate
          let found = Set(try context.fetch(request)), wanted = Set(prices.filter { predicate.evaluate(with: $0) })
          #expect(found == wanted, "\(type) \(test) \(constant) of \(Swift.type(of: constant))")
        }
      }
    }
  }

  @Test(arguments: TestStore.all) func itIsKept(_ store: TestStore) throws {
    let coordinator = try store.coordinator(Self.model())
    try fill(coordinator)
    try check(TestModel.context(coordinator))
    // Unsaved objects are compared in memory.
    let other = TestModel.context(coordinator)
    try other.performAndWait {
      for price in try other.fetch(NSFetchRequest<NSManagedObject>(entityName: "Price")) {
        price.setValue(price.value(forKey: "amount"), forKey: "amount")
      }
    }
    try check(other)
  }

  @Test(arguments: [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType]) func itIsReadAgain(_ type: String) throws {
    let file = try TestModel.temporaryFile()
    defer { try? FileManager.default.removeItem(at: file.deletingLastPathComponent()) }
    for isNew in [true, false] {
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model())
      try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: file, options: nil)
      if isNew { try fill(coordinator) }
      try check(TestModel.context(coordinator))
      for store in coordinator.persistentStores { try coordinator.remove(store) }
    }
    if type == NSSQLiteStoreType {
      let database = try PlainDatabase(file)
      #expect(
        try database.rows("SELECT typeof(ZAMOUNT), ZAMOUNT FROM ZPRICE WHERE ZNAME = 'nan'").description
          == "[['text', 'NaN']]")
      #expect(try StoreCheck.errors(file) == [])
    }
  }

  /// Batch requests write it too, and a migration in place keeps it where the type can hold it.
  @Test func batchesAndMigrations() throws {
    let file = try TestModel.temporaryFile()
    defer { try? FileManager.default.removeItem(at: file.deletingLastPathComponent()) }
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model())
    try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: file, options: nil)
    let context = TestModel.context(coordinator)
    try context.performAndWait {
      let insertion = NSBatchInsertRequest(
        entityName: "Price",
        objects: [["name": "a", "amount": NSDecimalNumber.notANumber], ["name": "b", "amount": 1]])
      try context.execute(insertion)
      let update = NSBatchUpdateRequest(entityName: "Price")
      update.predicate = NSPredicate(format: "name == 'b'")
      update.propertiesToUpdate = ["amount": NSDecimalNumber.notANumber]
      try context.execute(update)
    }
    #expect(try amounts(context).values.allSatisfy { $0?.decimalValue.isNaN == true })
    for store in coordinator.persistentStores { try coordinator.remove(store) }
    let database = try PlainDatabase(file)
    #expect(try database.rows("SELECT ZAMOUNT FROM ZPRICE").description == "[['NaN'], ['NaN']]")
  }
}

import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// Rows that are written without objects.
@Suite struct BatchInsertTests {
  private let rows: [[String: Any]] = [["name": "A", "stock": 9], ["name": "B", "code": NSNull()], ["name": "C"]]

  @Test(arguments: TestStore.all(that: .batchUpdates))
  func dictionariesSequencesAndHandlersGiveTheSame(_ store: TestStore) throws {
    let rows = rows
    let requests: [() -> NSBatchInsertRequest] = [
      { NSBatchInsertRequest(entityName: "Product", objects: rows) },
      { NSBatchInsertRequest(entityName: "Product", sequence: rows.lazy.map { $0 }) },
      {
        var left = rows[...]
        return NSBatchInsertRequest(entityName: "Product") { (row: NSMutableDictionary) in
          guard let next = left.popFirst() else { return true }
          for (key, value) in next { row[key] = value }
          return false
        }
      },
      {
        var left = rows[...]
        return NSBatchInsertRequest(entityName: "Product") { (object: NSManagedObject) in
          guard let next = left.popFirst() else { return true }
          #expect(object.managedObjectContext == nil && object.number("stock") == 3 && object.text("name") == nil)
          for (key, value) in next { object.setValue(value, forKey: key) }
          return false
        }
      },
    ]
    for make in requests {
      let coordinator = try store.coordinator(BatchModel.products())
      try coordinator.inContext { context in
        #expect(try context.insertBatch(make()) as? Int == 3)
        #expect(context.registeredObjects.isEmpty && !context.hasChanges)
        let products = try context.all("Product", sortedBy: "name")
        #expect(products.map { $0.text("name") } == ["A", "B", "C"])
        #expect(products.map { $0.number("stock") } == [9, 3, 3])
        #expect(products.map { $0.text("upper") } == ["A", "B", "C"])
        #expect(products.allSatisfy { $0.value(forKey: "isNew") as? Bool == true && $0.number("code") == nil })
      }
    }
  }

  @Test(arguments: TestStore.all(that: .batchUpdates)) func theThreeResultTypes(_ store: TestStore) throws {
    try store.coordinator(BatchModel.products()).inContext { context in
      let request = NSBatchInsertRequest(
        entity: context.persistentStoreCoordinator!.managedObjectModel.entitiesByName["Book"]!, objects: rows)
      #expect(try context.insertBatch(request, .statusOnly) as? Bool == true)
      #expect(try context.insertBatch(request, .count) as? Int == 3)
      let ids = try #require(try context.insertBatch(request, .objectIDs) as? [NSManagedObjectID])
      #expect(ids.map { $0.entity.name } == ["Book", "Book", "Book"] && ids.allSatisfy { !$0.isTemporaryID })
      #expect(ids.map { context.object(with: $0).text("name") } == ["A", "B", "C"])
      #expect(try context.count("Product") == 9)
      #expect(request.requestType == .batchInsertRequestType && request.entityName == "Book")
      // None is a number, too; and keys go on where saves and batches have left off.
      #expect(try context.insertBatch(NSBatchInsertRequest(entityName: "Product", objects: [])) as? Int == 0)
      let object = context.make("Product", ["name": "D"])
      try context.save()
      #expect(object.objectID.uriRepresentation().lastPathComponent == "p10")
    }
  }

  @Test(
    arguments: [
      ([["name": "A"], ["nam": "B"]], 1550, "nam"), ([["name": "A"], ["stock": 1]], 1570, "name"),
      ([["name": "A"], ["name": NSNull()]], 1570, "name"), ([["name": "A"], ["name": 7]], 1550, "name"),
      ([["name": "A"], ["name": "B", "stock": 70_000]], 1550, "stock"),
      ([["name": "A"], ["name": "B", "shop": NSNull()]], 1550, "shop"),
      ([["name": "A"], ["name": "B", "size": ["unit": "m"]]], 1570, "size.width"),
      ([["name": "A"], ["name": "B", "size": ["depth": 1]]], 1550, "size"),
      ([["name": "A"], ["name": "B", "size": 7]], 1550, "size"),
    ] as [([[String: any Sendable]], Int, String)])
  func aRowThatDoesNotFitIsNamedAndNothingIsWritten(rows: [[String: any Sendable]], code: Int, key: String) throws {
    let url = try TestModel.temporaryFile()
    let coordinator = try TestModel.coordinator(BatchModel.products(), url: url)
    let before = try BatchModel.contents(url)
    try coordinator.inContext { context in
      let error = #expect(throws: NSError.self) {
        try context.insertBatch(NSBatchInsertRequest(entityName: "Product", objects: rows))
      }
      #expect(error?.domain == NSCocoaErrorDomain && error?.code == code, "\(error as Any)")
      #expect(error?.userInfo[NSValidationKeyErrorKey] as? String == key)
      #expect(
        error?.localizedDescription.contains("Product") == true && error?.localizedDescription.contains(key) == true)
      #expect(error?.localizedFailureReason == "The entity is Product, the row number 2.")
    }
    #expect(try BatchModel.contents(url) == before)
  }

  @Test(arguments: TestStore.all(that: .batchUpdates)) func aDateThatIsNoneIsRefused(_ store: TestStore) throws {
    try store.coordinator(BatchModel.products()).inContext { context throws in
      let rows: [[String: Any]] = [["name": "A"], ["name": "B", "made": Date(timeIntervalSinceReferenceDate: .nan)]]
      let error = #expect(throws: NSError.self) {
        try context.insertBatch(NSBatchInsertRequest(entityName: "Product", objects: rows))
      }
      #expect(error?.code == NSValidationInvalidDateError)
      #expect(error?.userInfo[NSValidationKeyErrorKey] as? String == "made")
      #expect(try context.count("Product") == 0)
    }
  }

  @Test(arguments: TestStore.all(that: .batchUpdates)) func relationshipsOfObjectsAreRefused(_ store: TestStore) throws
  {
    try store.coordinator(BatchModel.products()).inContext { context in
      let shop = context.make("Shop")
      try context.save()
      var isFirst = true
      let request = NSBatchInsertRequest(entityName: "Product") { (object: NSManagedObject) in
        defer { isFirst = false }
        object.setValue("A", forKey: "name")
        object.setPrimitiveValue(shop, forKey: "shop")
        return !isFirst
      }
      let error = #expect(throws: NSError.self) { try context.insertBatch(request) }
      #expect(error?.userInfo[NSValidationKeyErrorKey] as? String == "shop")
      #expect(try context.count("Product") == 0)
    }
  }

  @Test(arguments: TestStore.all(that: .batchUpdates))
  func anObjectOfTheHandlerIsTheSameForAllRows(_ store: TestStore) throws {
    try store.coordinator(BatchModel.products()).inContext { context in
      var objects: [NSManagedObject] = []
      _ = try context.insertBatch(
        NSBatchInsertRequest(entityName: "Book") { (object: NSManagedObject) in
          objects.append(object)
          object.setValue("\(objects.count)", forKey: "name")
          return objects.count == 4
        })
      #expect(objects.count == 4 && Set(objects).count == 1)
      #expect(try context.names("Book") == ["1", "2", "3"])
    }
  }

  @Test(arguments: TestStore.all(that: .batchUpdates))
  func anObjectOfTheHandlerBeginsEachRowWithTheDefaults(_ store: TestStore) throws {
    try store.coordinator(BatchModel.products()).inContext { context in
      var number = 0
      _ = try context.insertBatch(
        NSBatchInsertRequest(entityName: "Product") { (object: NSManagedObject) in
          number += 1
          #expect(!object.isInserted && !object.isUpdated && !object.hasChanges && object.managedObjectContext == nil)
          for key in object.entity.attributesByName.keys where key != "name" {
            let isDefault =
              object.value(forKey: key) as? NSObject == object.entity.attributesByName[key]?.defaultValue as? NSObject
            #expect(isDefault, "\(key) of row \(number)")
          }
          object.setValue("\(number)", forKey: "name")
          if number % 2 == 1 { object.setValue(Date(timeIntervalSinceReferenceDate: Double(number)), forKey: "made") }
          return number == 5
        })
      let products = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Product"))
      #expect(products.count == 4)
      for product in products {
        let number = try #require(Double(product.text("name") ?? ""))
        let made = product.value(forKey: "made") as? Date
        #expect(made?.timeIntervalSinceReferenceDate == (number.truncatingRemainder(dividingBy: 2) == 1 ? number : nil))
      }
    }
  }

  @Test func aHandlerMayReadButNotWrite() throws {
    let url = try TestModel.temporaryFile()
    let coordinator = try TestModel.coordinator(BatchModel.products(), url: url)
    try coordinator.inContext { context throws in
      var number = 0
      let request = NSBatchInsertRequest(entityName: "Product") { (row: NSMutableDictionary) in
        number += 1
        row["name"] = "\(number)"
        do {
          #expect(try context.count("Product") == 0)
          _ = context.make("Shop", ["name": "S"])
          let error = #expect(throws: NSError.self) { try context.save() }
          #expect(error?.code == NSPersistentStoreSaveError)
          context.rollback()
          let nested = #expect(throws: NSError.self) { try context.deleteBatch("Product") }
          #expect(nested?.code == NSPersistentStoreSaveError)
        } catch {
          Issue.record(error)
        }
        return number > 2
      }
      #expect(try context.insertBatch(request) as? Int == 2)
      #expect(try context.names("Product") == ["1", "2"])
    }
    #expect(try StoreCheck.errors(url, model: BatchModel.products()).isEmpty)
  }

  @Test func filesOfLargeValuesAreThereAndThoseOfAFailedBatchAreNot() throws {
    let url = try TestModel.temporaryFile()
    let coordinator = try TestModel.coordinator(BatchModel.products(unique: true), url: url)
    let folder = url.deletingLastPathComponent().appendingPathComponent(".Store_SUPPORT/_EXTERNAL_DATA").path
    func files() -> Int { (try? FileManager.default.contentsOfDirectory(atPath: folder).count) ?? 0 }
    let large = Data(repeating: 7, count: 200_000)
    try coordinator.inContext { context in
      #expect(throws: NSError.self) {
        try context.insertBatch(
          NSBatchInsertRequest(entityName: "Product", objects: [["name": "A", "picture": large], ["picture": large]]))
      }
      #expect(files() == 0)
      _ = try context.insertBatch(
        NSBatchInsertRequest(
          entityName: "Product", objects: [["name": "A", "picture": large], ["name": "B", "picture": Data([1])]]))
      #expect(files() == 1)
      #expect(try context.named("A", "Product").value(forKey: "picture") as? Data == large)
      context.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
      _ = try context.insertBatch(
        NSBatchInsertRequest(entityName: "Product", objects: [["name": "A", "picture": large]]))
      #expect(files() == 1)
      context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      context.reset()
      _ = try context.insertBatch(
        NSBatchInsertRequest(entityName: "Product", objects: [["name": "B", "picture": large], ["name": "A"]]))
      #expect(files() == 2)
      try context.deleteBatch("Product", where: "name == 'B'")
      context.reset()
      #expect(try context.named("A", "Product").value(forKey: "picture") as? Data == large)
    }
    #expect(try coordinator.inContext { try $0.deleteBatch("Product") } as? Int == 1)
    try coordinator.remove(coordinator.persistentStores[0])
    #expect(files() == 0)
    #expect(try StoreCheck.errors(url, model: BatchModel.products(unique: true)).isEmpty)
  }

  @Test func ofSeveralStoresTheFirstWritableOneGetsTheRows() throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: BatchModel.products())
    let urls = try (0..<3).map { try TestModel.temporaryFile("S\($0).sqlite") }
    _ = try TestModel.coordinator(BatchModel.products(), url: urls[0])
    for (index, url) in urls.enumerated() {
      try coordinator.addPersistentStore(
        ofType: NSSQLiteStoreType, configurationName: nil, at: url,
        options: index == 0 ? [NSReadOnlyPersistentStoreOption: true] : nil)
    }
    try coordinator.inContext { context in
      let request = NSBatchInsertRequest(entityName: "Product", objects: rows)
      var ids = try #require(try context.insertBatch(request, .objectIDs) as? [NSManagedObjectID])
      #expect(ids.allSatisfy { $0.persistentStore === coordinator.persistentStores[1] })
      request.affectedStores = [coordinator.persistentStores[2]]
      ids = try #require(try context.insertBatch(request, .objectIDs) as? [NSManagedObjectID])
      #expect(ids.count == 3 && ids.allSatisfy { $0.persistentStore === coordinator.persistentStores[2] })
      request.affectedStores = [coordinator.persistentStores[0]]
      let error = #expect(throws: NSError.self) { try context.execute(request) }
      #expect(error?.code == CocoaError.Code.fileWriteNoPermission.rawValue)
      // A delete of all stores does nothing where one of them cannot be written.
      #expect(throws: NSError.self) { try context.deleteBatch("Product") }
      #expect(try context.count("Product") == 6)
      let delete = NSBatchDeleteRequest(objectIDs: ids)
      delete.resultType = .resultTypeCount
      delete.affectedStores = [coordinator.persistentStores[1], coordinator.persistentStores[2]]
      #expect((try context.execute(delete) as? NSBatchDeleteResult)?.result as? Int == 3)
      #expect(try context.count("Product") == 3)
    }
  }
}

import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// Batch requests as data, and stores that do not know them.
@Suite struct BatchRequestTests {
  @Test(arguments: TestStore.all(that: .batchUpdates)) func copiesAreIndependent(_ kind: TestStore) throws {
    let store = try kind.coordinator(BatchModel.products()).persistentStores[0]
    let insert = NSBatchInsertRequest(entityName: "Product", objects: [["name": "a"]])
    insert.resultType = .count
    insert.affectedStores = [store]
    let copy = try #require(insert.copy(with: nil) as? NSBatchInsertRequest)
    copy.objectsToInsert?.append([:])
    #expect(copy.entityName == "Product" && copy.resultType == .count && copy.affectedStores == [store])
    #expect(insert.objectsToInsert?.count == 1 && copy.objectsToInsert?.count == 2)
    let handler = NSBatchInsertRequest(entityName: "Product") { (_: NSManagedObject) in true }
    #expect((handler.copy(with: nil) as? NSBatchInsertRequest)?.managedObjectHandler != nil)
    #expect(handler.objectsToInsert == nil && handler.dictionaryHandler == nil)
    let update = NSBatchUpdateRequest(entityName: "Product")
    update.propertiesToUpdate = ["name": "b"]
    update.includesSubentities = false
    let second = try #require(update.copy(with: nil) as? NSBatchUpdateRequest)
    #expect(second.propertiesToUpdate?["name"] as? String == "b" && !second.includesSubentities)
    let delete = NSBatchDeleteRequest(objectIDs: [])
    delete.resultType = .resultTypeCount
    #expect((delete.copy(with: nil) as? NSBatchDeleteRequest)?.resultType == .resultTypeCount)
    let save = NSSaveChangesRequest(inserted: [], updated: nil, deleted: nil, locked: nil)
    #expect((save.copy(with: nil) as? NSSaveChangesRequest)?.insertedObjects == [])
    #expect((save.copy(with: nil) as? NSSaveChangesRequest)?.updatedObjects == nil)
    #expect(NSPersistentStoreRequest().copy(with: nil) is NSPersistentStoreRequest)
    #expect(update.requestType == .batchUpdateRequestType && delete.requestType == .batchDeleteRequestType)
  }

  @Test(arguments: TestStore.all(that: .batchUpdates)) func theEntityIsKnownOnceTheRequestHasRun(_ store: TestStore)
    throws
  {
    try store.coordinator(BatchModel.products()).inContext { context in
      let update = NSBatchUpdateRequest(entityName: "Product"),
        insert = NSBatchInsertRequest(entityName: "Book", objects: [])
      update.propertiesToUpdate = ["stock": 1]
      #expect(insert.entity == nil)
      _ = try context.execute(update)
      _ = try context.execute(insert)
      #expect(update.entity.name == "Product" && insert.entity?.name == "Book")
    }
  }

  @Test func storesThatAreNotOfSQLiteKnowNoneOfThem() throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: BatchModel.products())
    try TestStore.sqlite.add(to: coordinator, url: try TestModel.temporaryFile())
    let memory = try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
    try coordinator.inContext { context in
      _ = try context.insertBatch(NSBatchInsertRequest(entityName: "Product", objects: [["name": "a"]]))
      let update = NSBatchUpdateRequest(entityName: "Product")
      update.propertiesToUpdate = ["stock": 1]
      let insert = NSBatchInsertRequest(entityName: "Product", objects: [["name": "b"]])
      insert.affectedStores = [memory]
      let delete = NSBatchDeleteRequest(fetchRequest: NSFetchRequest(entityName: "Product"))
      for request in [update, insert, delete] {
        let error = #expect(throws: NSError.self) { try context.execute(request) }
        #expect(error?.code == NSPersistentStoreUnsupportedRequestTypeError)
        #expect(error?.localizedDescription.contains(NSInMemoryStoreType) == true)
      }
      // Nothing was done in the other one before.
      #expect(try context.all("Product").map { $0.number("stock") } == [3])
    }
  }

  @Test func anAbstractEntityHasNoRows() async {
    await #expect(processExitsWith: .failure) {
      try TestModel.coordinator(BatchModel.products()).inContext { context in
        _ = try context.execute(NSBatchInsertRequest(entityName: "Base", objects: []))
      }
    }
  }

  @Test func anUnknownEntityStopsTheProgram() async {
    await #expect(processExitsWith: .failure) {
      try TestModel.coordinator(BatchModel.products()).inContext { context in
        _ = try context.execute(NSBatchInsertRequest(entityName: "Nothing", objects: []))
      }
    }
  }
}

import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// The request of a controller as its delegate gets it.
@Suite struct ControllerRequestTests {
  private func erased(_ controller: NSFetchedResultsController<Catalog.Item>) throws
    -> NSFetchedResultsController<any NSFetchRequestResult>
  {
    let delegate = RecordingDelegate()
    controller.delegate = delegate
    try controller.performFetch()
    controller.managedObjectContext.insert("Item", ["title": "new"])
    controller.managedObjectContext.processPendingChanges()
    return try #require(delegate.controllers.first)
  }

  @Test(arguments: TestStore.all) func itsCopyAndItsArchiveAskForTheSame(_ store: TestStore) throws {
    let context = try Catalog.context(store)
    try context.performAndWait {
      for isByName in [true, false] {
        let request = Catalog.request("title")
        request.predicate = NSPredicate(format: "rank >= 0")
        (request.fetchLimit, request.includesSubentities) = (9, false)
        if !isByName {
          request.entity = try #require(context.persistentStoreCoordinator?.managedObjectModel.entitiesByName["Item"])
        }
        let stand = try erased(Catalog.controller(request, context)).fetchRequest
        #expect(stand.entityName == "Item")
        let copy = try #require(stand.copy() as? NSFetchRequest<any NSFetchRequestResult>)
        let data = try NSKeyedArchiver.archivedData(withRootObject: stand, requiringSecureCoding: false)
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: data)
        unarchiver.requiresSecureCoding = false
        let decoded = try #require(
          unarchiver.decodeObject(forKey: NSKeyedArchiveRootObjectKey) as? NSFetchRequest<any NSFetchRequestResult>)
        for other in [copy, decoded] {
          #expect(other.entityName == "Item" && other.predicate == request.predicate && other.fetchLimit == 9)
          #expect(!other.includesSubentities && other.sortDescriptors == request.sortDescriptors)
          #expect(try context.fetch(other).count == context.count(for: request))
          // They are requests of their own.
          other.predicate = NSPredicate(value: false)
          #expect(request.predicate != other.predicate)
        }
        context.rollback()
      }
    }
  }

  @Test func whatADelegateSetsIsSetOfTheRequest() throws {
    let context = try Catalog.context()
    try context.performAndWait {
      let coordinator = try #require(context.persistentStoreCoordinator)
      let store = try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
      let request = Catalog.request("title")
      let stand = try erased(Catalog.controller(request, context)).fetchRequest
      stand.affectedStores = [store]
      #expect(request.affectedStores?.first === store)
      stand.fetchBatchSize = 4
      #expect(request.fetchBatchSize == 4)
      let copy = try #require(stand.copy() as? NSFetchRequest<any NSFetchRequestResult>)
      #expect(copy.affectedStores?.first === store && copy.fetchBatchSize == 4)
    }
  }

  @Test(arguments: TestStore.all) func aRequestOfAClassStaysOne(_ store: TestStore) throws {
    let context = try Catalog.context(store)
    try context.performAndWait {
      let request = NSFetchRequest<Catalog.Item>(objectClass: Catalog.Item.self)
      request.sortDescriptors = []
      let stand = request.retyped(to: (any NSFetchRequestResult).self)
      #expect(stand.objectClass?.type == Catalog.Item.self)
      let copy = try #require(stand.copy() as? NSFetchRequest<any NSFetchRequestResult>)
      #expect(copy.objectClass?.type == Catalog.Item.self)
    }
  }
}

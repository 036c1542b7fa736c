import CoreData
import Foundation
import Testing

/// Requests of classes of their own, which say by themselves which stores they are for.
@Suite struct OwnRequestTests {
  private final class Fetch: NSFetchRequest<NSManagedObject> {
    var store: NSPersistentStore?

    override var affectedStores: [NSPersistentStore]? {
      get { store.map { [$0] } }
      set { store = newValue?.first }
    }
  }

  private final class Update: NSBatchUpdateRequest {
    var store: NSPersistentStore?

    override var affectedStores: [NSPersistentStore]? {
      get { store.map { [$0] } }
      set { store = newValue?.first }
    }
  }

  /// A coordinator with two stores, each with a club of its own name.
  private func coordinator() throws -> NSPersistentStoreCoordinator {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Society.model())
    for _ in 0..<2 { try TestStore.sqlite.add(to: coordinator, url: try TestModel.temporaryFile()) }
    try coordinator.inContext { context in
      for (number, store) in coordinator.persistentStores.enumerated() {
        context.assign(context.make("Club", ["name": "club \(number)"]), to: store)
      }
      try context.save()
    }
    return coordinator
  }

  private func request(_ store: NSPersistentStore?) -> Fetch {
    let request = Fetch(entityName: "Club")
    request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
    request.affectedStores = store.map { [$0] }
    return request
  }

  @Test func whatASubclassSaysIsAsked() throws {
    let coordinator = try coordinator(), stores = coordinator.persistentStores
    try coordinator.inContext { context in
      #expect(try context.fetch(request(nil)).map { $0.text("name") } == ["club 0", "club 1"])
      for (number, store) in stores.enumerated() {
        let request = request(store)
        #expect(try context.fetch(request).map { $0.text("name") } == ["club \(number)"])
        #expect(try context.count(for: request) == 1)
        let controller = NSFetchedResultsController(
          fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
        try controller.performFetch()
        #expect(controller.fetchedObjects?.map { $0.text("name") } == ["club \(number)"])
      }
    }
  }

  @Test func aBatchRequestGoesToTheStoreThatItSays() throws {
    let coordinator = try coordinator()
    try coordinator.inContext { context in
      let update = Update(entityName: "Club")
      update.store = coordinator.persistentStores[1]
      update.propertiesToUpdate = ["name": "renamed"]
      try context.execute(update)
      #expect(try context.names("Club") == ["club 0", "renamed"])
    }
  }
}

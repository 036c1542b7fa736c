import CoreData
import Foundation

/// A save of new, changed and deleted objects with large values, in a context with an open store.
class SaveOperation: Operation {
  fileprivate var coordinator: NSPersistentStoreCoordinator?
  fileprivate var context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)

  init(_ kind: StoreKind, name: String = "save") { super.init(name, kind) }

  override func prepare() throws { try WorkerModel.fill(store) }

  override func begin() throws {
    let coordinator = try store.open(version: 0)
    self.coordinator = coordinator
    context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    try context.performAndWait { try change() }
  }

  func change() throws {
    let items = try WorkerModel.items(context)
    items[0].setValue(WorkerModel.photo(77), forKey: "photo")
    items[1].setValue("another title", forKey: "title")
    items[2].setValue(items[1].value(forKey: "shelf"), forKey: "shelf")
    context.delete(items[4])
    for number in 20..<22 {
      WorkerModel.insert(
        "Item", ["number": number, "title": "new \(number)", "photo": WorkerModel.photo(number)], context)
    }
  }

  override func run(_ environment: [String: String]) throws {
    try context.performAndWait { try context.save() }
  }

  override func end() throws {
    context.performAndWait { context.reset() }
    if let coordinator { try StorePlace.close(coordinator) }
    coordinator = nil
    context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
  }
}

/// A batch request on an open store.
final class BatchOperation: SaveOperation {
  enum Request: String, CaseIterable { case insert, update, delete }
  private let request: Request

  init(_ request: Request, _ kind: StoreKind) {
    self.request = request
    super.init(kind, name: "batch-\(request)")
  }

  override func change() throws {}

  override func run(_ environment: [String: String]) throws {
    try context.performAndWait {
      // The requests affect nothing if they have been executed before.
      let predicate = NSPredicate(format: "number < 3")
      switch request {
      case .insert:
        let found = NSFetchRequest<NSManagedObject>(entityName: "Item")
        found.predicate = NSPredicate(format: "number >= 30")
        guard try context.count(for: found) == 0 else { return }
        let rows = (30..<40).map { number -> [String: Any] in
          [
            "number": number, "title": "batch \(number)",
            "photo": number % 5 == 0 ? WorkerModel.photo(number) : Data([1]),
          ]
        }
        _ = try context.execute(NSBatchInsertRequest(entityName: "Item", objects: rows))
      case .update:
        let update = NSBatchUpdateRequest(entityName: "Item")
        update.predicate = NSPredicate(format: "number < 3 AND title != 'updated'")
        update.propertiesToUpdate = ["title": "updated", "photo": WorkerModel.photo(99)]
        _ = try context.execute(update)
      case .delete:
        let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "Item")
        fetch.predicate = predicate
        _ = try context.execute(NSBatchDeleteRequest(fetchRequest: fetch))
      }
    }
  }
}

import CoreData
import Foundation

/// A private store with 400 owners of ten items each, and a context that has none of them.
struct Stack {
  let container: NSPersistentContainer
  var context: NSManagedObjectContext { container.viewContext }
  var coordinator: NSPersistentStoreCoordinator { container.persistentStoreCoordinator }

  init() throws {
    guard let url = Bundle.module.url(forResource: "Counted", withExtension: "xcdatamodeld"),
      let model = NSManagedObjectModel(contentsOf: url)
    else { throw CocoaError(.fileReadNoSuchFile) }
    container = NSPersistentContainer(name: "Counted", managedObjectModel: model)
    let description = NSPersistentStoreDescription()
    container.persistentStoreDescriptions = [description]
    var failure: (any Error)?
    container.loadPersistentStores { _, error in failure = error }
    if let failure { throw failure }
    for number in 0..<400 {
      let owner = Owner(context: context)
      owner.name = "Owner \(number)"
      for place in 0..<10 {
        let item = Item(context: context)
        item.title = "Item \(number).\(place)"
        item.rating = Int64(number)
        item.weight = Double(place)
        item.owner = owner
      }
    }
    try context.save()
    context.reset()
  }

  /// That many items.
  func items(_ count: Int, asFaults: Bool) throws -> [Item] {
    let request = Item.fetchRequest() as NSFetchRequest<Item>
    request.fetchLimit = count
    request.returnsObjectsAsFaults = asFaults
    let items = try context.fetch(request)
    guard items.count == count else { throw WrongCount(found: items.count) }
    return items
  }

  /// Saves 4,000 more owners of three items each, and empties the context and the row cache.
  func saveSmallOwners() throws {
    for number in 0..<4_000 {
      let owner = Owner(context: context)
      owner.name = "Small owner \(number)"
      for place in 0..<3 {
        let item = Item(context: context)
        item.title = "Item \(place)"
        item.owner = owner
      }
    }
    try context.save()
    context.reset()
    coordinator.emptyRowCache()
  }

  /// Reads the titles of the items of that many of the small owners.
  func readSmallOwners(_ count: Int, prefetching: Bool) throws {
    let request = Owner.fetchRequest() as NSFetchRequest<Owner>
    request.predicate = NSPredicate(format: "name BEGINSWITH 'Small'")
    request.fetchLimit = count
    if prefetching { request.relationshipKeyPathsForPrefetching = ["items"] }
    var found = 0
    for owner in try context.fetch(request) {
      for case let item as Item in owner.items ?? NSSet() { found += item.title == nil ? 0 : 1 }
    }
    guard found == 3 * count else { throw WrongCount(found: found) }
  }

  /// Makes that many items, with all their attributes.
  func insert(_ count: Int) throws {
    for number in 0..<count {
      let item = Item(context: context)
      item.title = "New item"
      item.rating = Int64(number)
      item.weight = 1
    }
  }
}

extension [Item] {
  func touch() { keep(count) }
}

/// The work has found something else than it should.
struct WrongCount: Error {
  let found: Int
}

/// Keeps the compiler from leaving out work whose result nobody uses.
@inline(never) func keep(_ value: Int) { blackHole = value }
nonisolated(unsafe) private var blackHole = 0

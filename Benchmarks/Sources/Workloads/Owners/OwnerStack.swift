import CoreData
import Foundation

/// The stack for owners and playlists: the model, a store and a context.
final class OwnerStack {
  let container: NSPersistentContainer
  var context: NSManagedObjectContext { container.viewContext }
  var coordinator: NSPersistentStoreCoordinator { container.persistentStoreCoordinator }

  /// Opens a store, and makes it if it does not exist.
  init(url: URL) throws {
    guard let resource = Bundle.module.url(forResource: "Owners", withExtension: "xcdatamodeld"),
      let model = NSManagedObjectModel(contentsOf: resource)
    else { throw WorkloadError(description: "there is no model of owners") }
    container = NSPersistentContainer(name: "Owners", managedObjectModel: model)
    container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
    var failure: (any Error)?
    container.loadPersistentStores { _, error in failure = error }
    if let failure { throw failure }
  }

  /// Closes the store, so that its file can be moved or removed.
  func close() throws {
    context.reset()
    for store in coordinator.persistentStores { try coordinator.remove(store) }
  }
}

extension Store {
  /// The store with 10,000 owners of three members each, loaded by `prepare`.
  var owners: URL { folder.appending(path: "framework-owners.sqlite") }

  /// Loads the same owners as `Baseline/owner_data.c` makes.
  func prepareOwners() throws {
    try remove(owners)
    let stack = try OwnerStack(url: owners)
    for number in 1...10_000 {
      let owner = Owner(context: stack.context)
      owner.name = "Owner \(number)"
      for place in 1...3 {
        let member = Member(context: stack.context)
        member.name = "Member \(place) of \(number)"
        member.owner = owner
      }
    }
    try stack.context.save()
    try stack.close()
  }
}

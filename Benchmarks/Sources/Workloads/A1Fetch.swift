import CoreData
import PerformanceTuning

/// Fetches all objects of the three entities with their values into an empty context, and resets the context.
///
/// A1 begins with an empty row cache, because C has none. A1-cached is repeated with the rows cached, as in an application.
func runA1(_ store: Store) throws {
  let stack = try store.open()
  let context = stack.context
  let coordinator = stack.container.persistentStoreCoordinator
  try measure("A1", prepare: { coordinator.emptyRowCache() }, work: { try fetchEverything(in: context) })
  try measure("A1-cached") { try fetchEverything(in: context) }
}

private func fetchEverything(in context: NSManagedObjectContext) throws -> Int {
  let count =
    try fetchAll(Person.self, in: context) + fetchAll(Selfie.self, in: context)
    + fetchAll(SocialNetwork.self, in: context)
  context.reset()
  return count
}

private func fetchAll<Object: NSManagedObject>(
  _ type: Object.Type, in context: NSManagedObjectContext
) throws -> Int {
  let request = NSFetchRequest<Object>(entityName: "\(type)")
  request.returnsObjectsAsFaults = false
  return try context.fetch(request).count
}

import CoreData
import PerformanceTuning

/// Fetches all objects of the three entities with their values, into an empty context that is emptied again.
func runA1(_ store: Store) throws {
  let stack = try store.open()
  let context = stack.context
  try measure("A1") {
    let count =
      try fetchAll(Person.self, in: context) + fetchAll(Selfie.self, in: context)
      + fetchAll(SocialNetwork.self, in: context)
    context.reset()
    return count
  }
}

private func fetchAll<Object: NSManagedObject>(
  _ type: Object.Type, in context: NSManagedObjectContext
) throws -> Int {
  let request = NSFetchRequest<Object>(entityName: "\(type)")
  request.returnsObjectsAsFaults = false
  return try context.fetch(request).count
}

import CoreData

/// Fetches sightings by their keys, one in each fetch, while other sightings are inserted or changed and not saved.
///
/// The changes touch neither the key nor the sightings that are looked for, so that the fetches should take what they take
/// without changes.
func runKeyFetches(_ store: Store) throws {
  let stored = SightingRecord.make()
  let keys = (0..<Store.keyFetches).map { stored[$0 * 127].uid }
  let stack = try AlbumStack(url: store.sightings)
  for (name, inserts, updates) in pendingChanges where Counting.includes(name) {
    let context = stack.container.newBackgroundContext()
    try context.performAndWait {
      let pending = try change(context, stored, inserts: inserts, updates: updates)
      context.processPendingChanges()
      try measure(name) { try fetch(keys, in: context) }
      // What is pending is found with its changes.
      let (last, length) = (pending.suffix(3).map(\.uid), pending.suffix(3).map(\.length).reduce(0, +))
      guard context.insertedObjects.count == inserts, context.updatedObjects.count == updates,
        try fetch(last, in: context) == length
      else { throw WorkloadError(description: "\(name): the pending changes are not in the result") }
      context.reset()
    }
  }
  try stack.close()
}

private let pendingChanges: [(name: String, inserts: Int, updates: Int)] = [
  ("pending-inserts-0", 0, 0), ("pending-inserts-100", 100, 0), ("pending-inserts-1000", 1000, 0),
  ("pending-inserts-10000", 10_000, 0), ("pending-updates-1000", 0, 1000), ("pending-updates-10000", 0, 10_000),
]

extension Store {
  /// The number of fetches in a measurement.
  fileprivate static var keyFetches: Int { Counting.isOn ? 4 : 200 }
}

/// Inserts new sightings, and changes the city of the last of the stored ones.
/// - Returns: The keys of the changed and new sightings, with the lengths of their cities.
private func change(
  _ context: NSManagedObjectContext, _ stored: [SightingRecord], inserts: Int, updates: Int
) throws -> [(uid: String, length: Int)] {
  var pending: [(uid: String, length: Int)] = []
  for number in 0..<inserts {
    var record = stored[number]
    record.uid = "new-\(number)"
    record.fill(Sighting(context: context))
    pending.append((record.uid, record.city.utf8.count))
  }
  let request = NSFetchRequest<Sighting>(entityName: "Sighting")
  request.predicate = NSPredicate(format: "uid IN %@", argumentArray: [stored.suffix(updates).map(\.uid)])
  if updates > 0 {
    for sighting in try context.fetch(request) {
      sighting.city = "Elsewhere"
      pending.append((sighting.uid ?? "", 9))
    }
  }
  return pending
}

/// Returns the sum of the lengths of the cities.
private func fetch(_ keys: [String], in context: NSManagedObjectContext) throws -> Int {
  var length = 0
  for key in keys {
    let request = NSFetchRequest<Sighting>(entityName: "Sighting")
    request.predicate = NSPredicate(format: "uid == %@", key)
    request.fetchLimit = 1
    length += try context.fetch(request).first?.city?.utf8.count ?? 0
  }
  return length
}

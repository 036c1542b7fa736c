import CoreData

/// Fetches the first 1,000 photos by likes and date, which an index serves: first without pending changes, then with ten
/// pending changes that bring five photos into the result and five out of it. Then does the same in a child context.
func runPending(_ store: Store, _ count: Int) throws {
  let set = PhotoSet(count, .compound)
  let stack = try store.open(set)
  let parent = stack.container.newBackgroundContext()
  try parent.performAndWait { try fetchBesideChanges("pending", set, parent) }
  parent.performAndWait { parent.reset() }
  let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
  child.parent = parent
  try child.performAndWait { try fetchBesideChanges("pending-child", set, child) }
}

private func fetchBesideChanges(_ name: String, _ set: PhotoSet, _ context: NSManagedObjectContext) throws {
  let request = Photo.byLikes()
  request.fetchLimit = 1000
  try measure(set.work("\(name)-no")) { try context.fetch(request).count }
  let changed = try first(5, ascending: true, in: context) + first(5, ascending: false, in: context)
  for (index, photo) in changed.enumerated() { photo.likes = index < 5 ? 2000 : -1 }
  try measure(set.work("\(name)-ten")) { try context.fetch(request).count }
  let photos = try context.fetch(request)
  guard photos.prefix(5).allSatisfy({ $0.likes == 2000 }), Set(photos).isDisjoint(with: changed.suffix(5)) else {
    throw WorkloadError(description: "\(name): the changes are not in the result")
  }
}

private func first(_ limit: Int, ascending: Bool, in context: NSManagedObjectContext) throws -> [Photo] {
  let request = NSFetchRequest<Photo>(entityName: "Photo")
  request.sortDescriptors = ["likes", "date"].map { NSSortDescriptor(key: $0, ascending: ascending) }
  request.fetchLimit = limit
  return try context.fetch(request)
}

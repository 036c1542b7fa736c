import CoreData

/// Changes the likes of all photos by one request; deletes all photos, chosen by their size, by another request.
func runBatch(_ store: Store, _ count: Int) throws {
  let set = PhotoSet(count, .none)
  var stack: AlbumStack?
  func execute(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult? {
    try stack?.context.execute(request)
  }
  func prepare() throws {
    try stack?.close()
    stack = try store.openCopy(of: set)
  }
  let update = NSBatchUpdateRequest(entityName: "Photo")
  update.propertiesToUpdate = ["likes": NSExpression(format: "likes + 1")]
  update.resultType = .updatedObjectsCountResultType
  try measure(set.work("batch-update"), prepare: prepare) {
    (try execute(update) as? NSBatchUpdateResult)?.result as? Int ?? 0
  }
  let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "Photo")
  fetch.predicate = NSPredicate(format: "size >= 0")
  let delete = NSBatchDeleteRequest(fetchRequest: fetch)
  delete.resultType = .resultTypeCount
  try measure(set.work("batch-delete"), prepare: prepare) {
    (try execute(delete) as? NSBatchDeleteResult)?.result as? Int ?? 0
  }
  try stack?.close()
  try store.remove(store.scratch)
}

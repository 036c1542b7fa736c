import CoreData

/// Inserts photos into an empty store through the context, with 10,000 photos in each save.
func runB1(_ store: Store, _ count: Int) throws {
  let records = PhotoRecord.make(count)
  // If a million rows are inserted in an order other than that of the indexes, moving pages takes minutes, on either side.
  let indexings = count == PhotoSet.large ? [.none] : Indexing.allCases
  // The work of C without an index takes so little time that it is repeated, and its first time does not count. The framework's
  // work is just long enough not to be repeated, so its first time is left out here.
  if count == PhotoSet.small {
    try store.remove(store.scratch)
    let stack = try AlbumStack(url: store.scratch, indexing: .none)
    _ = try stack.context.insert(records)
    try stack.close()
    try store.remove(store.scratch)
  }
  for set in indexings.map({ PhotoSet(count, $0) }) {
    var stack: AlbumStack?
    func context() throws -> NSManagedObjectContext {
      guard let stack else { throw WorkloadError(description: "no stack") }
      return stack.context
    }
    try measure(
      set.work("B1"),
      prepare: {
        try stack?.close()
        try store.remove(store.scratch)
        stack = try AlbumStack(url: store.scratch, indexing: set.indexing)
      },
      answer: { try context().count(for: NSFetchRequest<Photo>(entityName: "Photo")) },
      work: { try context().insert(records) })
    try stack?.close()
  }
  try store.remove(store.scratch)
}

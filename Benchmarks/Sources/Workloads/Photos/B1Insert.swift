import CoreData

/// Inserts photos into an empty store through the context, 10,000 in a save.
func runB1(_ store: Store, _ count: Int) throws {
  let records = PhotoRecord.make(count)
  // A million rows in the order of no index are minutes of moving pages, on any side.
  let indexings = count == PhotoSet.large ? [.none] : Indexing.allCases
  // C takes so little time without an index that it is repeated and the first time does not count: nor does it here, where
  // it is just long enough not to be.
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

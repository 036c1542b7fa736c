import CoreData

/// Counts the sightings of each shape. Imports 60,000 sightings into an empty store, and again into a store that has all of
/// them, with an empty row cache.
func runD(_ store: Store) throws {
  try runGroup(store)
  // The import works in independent batches of 1,000 records, so that fewer records are enough for counting.
  let records = Array(SightingRecord.make().prefix(Counting.isOn ? 6000 : 60_000))
  var stack: AlbumStack?
  func run() throws -> SightingImport {
    guard let stack else { throw WorkloadError(description: "no stack") }
    return try SightingImport(records, into: stack.context)
  }
  try measure(
    "D-create",
    prepare: {
      try stack?.close()
      try store.remove(store.scratch)
      stack = try AlbumStack(url: store.scratch)
    },
    work: { try run().created })
  try stack?.close()
  try store.remove(store.scratch)
  stack = try AlbumStack(url: store.sightings)
  try measure("D-find", prepare: { stack?.coordinator.emptyRowCache() }, work: { try run().found })
  try stack?.close()
}

extension Store {
  /// The store of sightings, which `prepare` loads.
  var sightings: URL { folder.appending(path: "framework-sightings.sqlite") }

  /// Loads the sightings.
  func prepareSightings() throws {
    try remove(sightings)
    let stack = try AlbumStack(url: sightings)
    guard try SightingImport(SightingRecord.make(), into: stack.context).created == 60_000 else {
      throw WorkloadError(description: "the sightings were not loaded")
    }
    try stack.close()
  }
}

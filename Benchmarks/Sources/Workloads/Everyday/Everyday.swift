// What programs do every day, in processes of several works each: callgrind takes four seconds to begin with each process.

/// Fetches beside pending changes.
func runPendingFetches(_ store: Store) throws {
  try runKeyFetches(store)
  try runNewcomersImport(store)
}

/// Orders and predicates of text.
func runText(_ store: Store) throws {
  try runTextOrders(store)
  try runTextPredicates(store)
}

/// Small saves, large ones, and saves by a uniqueness constraint.
func runSaving(_ store: Store) throws {
  try runServerRequests(store)
  try runHistorySaves(store)
  try runUniqueImport(store)
  try runLargeSaves(store)
}

/// Rows that were read from a store for a fetch before its context began the fetch.
struct ReadAhead {
  let store: NSPersistentStore
  let target: FetchTarget
  var rows: FetchedRows?
  var dictionaries: [[String: Any]]?
}

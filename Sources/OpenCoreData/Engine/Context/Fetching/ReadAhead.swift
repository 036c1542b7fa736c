/// What was read of a store for a fetch before its context came to it.
struct ReadAhead {
  let store: NSPersistentStore
  let target: FetchTarget
  var rows: FetchedRows?
  var dictionaries: [[String: Any]]?
}

import CoreData

/// Fetches 10,000 owners and reads the name of each of their three members, with nothing in the row cache: with the members
/// prefetched, and plainly, where they are read as the walk comes to them.
func runN1(_ store: Store) throws {
  let stack = try OwnerStack(url: store.owners)
  var owners: [Owner] = []
  for (name, isPrefetched) in [("N1-prefetched", true), ("N1-plain", false)] {
    let request = NSFetchRequest<Owner>(entityName: "Owner")
    if isPrefetched { request.relationshipKeyPathsForPrefetching = ["members"] }
    func prepare() {
      owners = []
      stack.context.reset()
      stack.coordinator.emptyRowCache()
    }
    func work() throws -> Int {
      owners = try stack.context.fetch(request)
      var bytes = 0
      for owner in owners {
        for member in owner.members { bytes += member.name?.utf8.count ?? 0 }
      }
      return bytes
    }
    // C takes so little time that it is repeated and the first time does not count: nor does it here, where it is just long
    // enough not to be.
    prepare()
    _ = try work()
    try measure(name, prepare: prepare, work: work)
  }
  owners = []
  try stack.close()
}

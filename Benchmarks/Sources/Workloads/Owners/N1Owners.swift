import CoreData

/// Fetches 10,000 owners and reads the name of each of their three members, with an empty row cache: first with the members
/// prefetched, then without prefetching, so that members are read when the walk reaches them.
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
    // The work of C takes so little time that it is repeated, and its first time does not count. The framework's work is just
    // long enough not to be repeated, so its first time is left out here.
    prepare()
    _ = try work()
    try measure(name, prepare: prepare, work: work)
  }
  owners = []
  try stack.close()
}

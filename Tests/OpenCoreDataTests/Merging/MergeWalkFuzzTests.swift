import CoreData
import FuzzSupport
import Testing

/// Random walks of several contexts with children over one graph: after every step both ends of all relationships agree
/// in each context, after every save in a new context and in the file.
@Suite struct MergeWalkFuzzTests {
  private static let steps = 60

  /// `SOAK=167` takes 100,000 steps on a file and as many in memory. The small run always takes the same walks, so that none that
  /// nobody has seen yet refuses somebody else's change.
  @Test(arguments: MergeWalk.Kind.allCases, TestStore.all)
  func bothEndsAgreeAfterEveryStep(_ kind: MergeWalk.Kind, _ store: TestStore) throws {
    // A store in a server costs a connection and a schema each.
    let cases = store.type == NSSQLiteStoreType || store.type == NSInMemoryStoreType ? 10 : 2
    try FuzzCampaign("\(kind.rawValue) in \(store.name)", cases: cases, smallSeed: 20_261_127).run { seed in
      let url = try store.place()
      defer { store.remove(url) }
      var walk = try MergeWalk(kind, store, url: url, seed: seed)
      try walk.run(steps: Self.steps)
      #expect(
        walk.failures.isEmpty,
        "case \(seed):\n\(walk.log.suffix(80).joined(separator: "\n"))\n\(walk.failures.prefix(20).joined(separator: "\n"))"
      )
      for place in walk.places { place.letGo() }
    }
  }
}

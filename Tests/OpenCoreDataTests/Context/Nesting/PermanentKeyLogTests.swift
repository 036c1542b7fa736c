import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// What a tree of contexts keeps of the keys that its objects have got.
@Suite struct PermanentKeyLogTests {
  private static func insert(_ count: Int, _ tree: Tree) throws {
    try tree.root.inside { root in
      for number in 0..<count { _ = root.make("Club", ["name": "\(number)"]) }
      try root.save()
    }
  }

  @Test(arguments: TestStore.all) func whatAllHaveReadIsForgotten(_ store: TestStore) throws {
    let tree = try Tree(store), log = tree.root.nesting.permanentKeys, size = PermanentKeys.kept / 2
    for _ in 0..<6 {
      try Self.insert(size, tree)
      for context in [tree.middle, tree.leaf] { context.performAndWait {} }
      #expect(log.keptCount <= 2 * PermanentKeys.kept + size)
    }
    #expect(log.count == 6 * size)
  }

  @Test(arguments: TestStore.all) func whoHasNotReadIsWaitedForUntilItGoes(_ store: TestStore) throws {
    let tree = try Tree(store), log = tree.root.nesting.permanentKeys, size = 2 * PermanentKeys.kept
    let late = Tree.child(of: tree.middle)
    let club = try late.inside { late in
      let club = late.make("Club", ["name": "late"])
      try late.save()
      return club
    }
    try Tree.saveUp(tree.middle)
    func grow() throws {
      try Self.insert(size, tree)
      for context in [tree.middle, tree.leaf] { context.performAndWait {} }
    }
    try
      ({
        let idle = Tree.child(of: tree.root)
        try grow()
        try withExtendedLifetime(idle) {
          try grow()
          #expect(log.keptCount == 2 * size + 1)
          late.performAndWait { #expect(!club.objectID.isTemporaryID && club.text("name") == "late") }
          // The other one has not read yet.
          #expect(log.keptCount == 2 * size + 1)
        }
      })()
    #expect(log.keptCount <= 2 * PermanentKeys.kept)
  }

  /// IDs that others have told a context are looked up when it gets to it, also if it has read the keys before.
  @Test(arguments: TestStore.all) func aHoldKeepsWhatWasRead(_ kind: TestStore) throws {
    let tree = try Tree(kind), store = tree.coordinator.persistentStores[0]
    let log = PermanentKeys(), count = 4 * PermanentKeys.kept
    #expect(log.join(tree.leaf, knowsAll: true) == 0)
    func grow() {
      let start = log.count
      for number in start..<start + count {
        log.add(.init(temporary: -Int64(number) - 1, permanent: Int64(number) + 1, rootNumber: 1, store: store))
      }
      #expect(log.read(from: start, to: log.count, by: tree.leaf).count == count)
    }
    log.hold(for: tree.leaf)
    grow()
    #expect(log.keptCount == count && log.entry(of: -1)?.permanent == 1)
    log.release(for: tree.leaf)
    #expect(log.keptCount == PermanentKeys.kept && log.entry(of: -1) == nil)
    for number in [count - PermanentKeys.kept, count - 1] {
      #expect(log.entry(of: -Int64(number) - 1)?.permanent == Int64(number) + 1)
    }
    grow()
    #expect(log.entry(of: -Int64(2 * count))?.permanent == Int64(2 * count))
    log.leave(tree.leaf)
    #expect(log.keptCount == 0 && log.count == 2 * count)
  }
}

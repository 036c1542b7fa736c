import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// The bound of the row cache, and who wins when rows of different commits meet there.
@Suite struct RowCacheTests {
  private let model = Society.model()

  private func row(_ key: Int64, version: Int64 = 1, commit: UInt64 = 1) throws -> Snapshot {
    let layout = try #require(model.entitiesByName["House"]).layout
    var scratch = SnapshotScratch(slots: layout.slotCount)
    scratch.begin(slots: layout.slotCount)
    scratch.set(0, string: String(repeating: "x", count: 1000))
    return Snapshot.make(primaryKey: key, version: version, layout: layout, commit: commit, scratch: scratch)
  }

  @Test func rowsThatNobodyHoldsLeaveFirst() throws {
    let cache = RowCache(entityCount: 1, byteLimit: 100_000)
    let shard = cache.shard(1)
    let held = try (1...20).map { try row($0) }
    shard.put(ContiguousArray(held))
    for key in 21...2000 { shard.put([try row(Int64(key))]) }
    let kept = (1...2000).count { shard.contains(Int64($0)) }
    #expect(kept < 150 && kept > 20)
    #expect(held.allSatisfy { shard.get($0.primaryKey, at: 1) === $0 })
  }

  /// The limit holds as well where a few fetches bring as much as it is.
  @Test func rowsThatComeManyAtATimeLeaveToo() throws {
    let cache = RowCache(entityCount: 1, byteLimit: 100_000)
    let shard = cache.shard(1)
    for start in stride(from: 0, to: 2000, by: 20) {
      shard.put(ContiguousArray(try (1...20).map { try row(Int64(start + $0)) }))
    }
    #expect((1...2000).count { shard.contains(Int64($0)) } < 120)
  }

  /// Looking for rows to let go, for every row that comes, would be quadratic where objects hold nearly all.
  @Test func rowsThatAreHeldAreNotLookedAtForEveryNewOne() {
    let bound = ByteBound(limit: 800)
    #expect(!bound.add(800) && bound.add(200))
    bound.swept()  // nothing could go
    #expect(!bound.add(250) && bound.add(1), "a quarter more than was left")
    bound.swept()
    #expect(!bound.add(-500))
    #expect(bound.add(200), "below the limit, the limit holds again")
  }

  @Test func aNewerRowStaysAndAnOlderReaderDoesNotGetIt() throws {
    let shard = RowCache(entityCount: 1).shard(1)
    shard.put([try row(1, version: 2, commit: 5)])
    shard.put([try row(1, version: 1, commit: 4)])
    #expect(shard.get(1, at: 5)?.version == 2 && shard.get(1, at: 4) == nil)
    shard.invalidate(before: 8, all: false)
    shard.put([try row(1, version: 3, commit: 7), try row(2, commit: 7)])
    #expect(shard.get(1, at: 9)?.version == 2 && shard.get(2, at: 9) == nil)
    shard.put([try row(2, commit: 8)])
    #expect(shard.get(2, at: 9) != nil)
  }

  /// A reader of an older state may be the first who asks for a relationship.
  @Test func membersReadBeforeAnInvalidationAreNotKept() {
    let cache = RowCache(entityCount: 1)
    cache.invalidateRelations(before: 5)
    let shard = cache.relation(RelationID(entityNumber: 1, name: "people"))
    let old = KeyArray(ascending: [1], commit: 4), new = KeyArray(ascending: [1, 2], commit: 5)
    #expect(!shard.put(old, owner: 7) && shard.get(7, at: 9) == nil)
    #expect(shard.put(new, owner: 7) && shard.get(7, at: 9) === new)
  }

  /// The table finds rows by a part of what their keys hash to: many that have it in common are told apart, and still found
  /// when others between them are gone.
  @Test func keysOfOneTagAreToldApart() throws {
    let shard = RowCache(entityCount: 1).shard(1)
    // By how much keys differ whose hashes differ in the bits alone that a tag leaves out.
    let inverse = inverseOfHashing()
    let colliding = (0..<200).map { Int64(bitPattern: (UInt64(77) << 33 | UInt64($0)) &* inverse) }
    #expect(Set(colliding.map(KeyHash.tag)).count == 1 && Set(colliding).count == 200)
    var numbers = SeededGenerator(for: "row cache")
    var known: Set<Int64> = []
    let all = colliding + (1...200).map(Int64.init)
    for _ in 0..<2000 {
      let key = all.randomElement(using: &numbers) ?? 0
      if Bool.random(using: &numbers) {
        shard.put([try row(key)])
        known.insert(key)
      } else {
        shard.remove([key])
        known.remove(key)
      }
    }
    for key in all { #expect(shard.get(key, at: 1)?.primaryKey == (known.contains(key) ? key : nil)) }
  }

  /// The factor that takes a product with the hash's factor back, by Newton's iteration.
  private func inverseOfHashing() -> UInt64 {
    let factor: UInt64 = 0x9E37_79B9_7F4A_7C15
    var inverse = factor
    for _ in 0..<6 { inverse = inverse &* (2 &- factor &* inverse) }
    return inverse
  }
}

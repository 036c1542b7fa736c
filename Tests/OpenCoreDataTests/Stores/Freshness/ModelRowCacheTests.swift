import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// The cache of the models does what the row cache does.
@Suite struct ModelRowCacheTests {
  private let model = Society.model(), layout: EntityLayout

  init() throws { layout = try #require(model.entitiesByName["House"]).layout }

  private func row(_ key: Int, _ row: ModelRowCache.Row) -> Snapshot {
    var scratch = SnapshotScratch(slots: layout.slotCount)
    scratch.begin(slots: layout.slotCount)
    return Snapshot.make(
      primaryKey: Int64(key), version: Int64(row.content), layout: layout, commit: row.date, scratch: scratch)
  }

  @Test(arguments: RandomSeeds.seeds(20)) func followsTheRulesOfTheRowCache(seed: UInt64) {
    var random = SeededGenerator(seed: seed), cache = ModelRowCache(keys: 3)
    let shard = RowCache(entityCount: 1).shard(1)
    for content in 1...300 {
      let key = Int.random(in: 0..<3, using: &random),
        date = UInt64.random(in: 0...UInt64(content / 10 + 2), using: &random)
      switch Int.random(in: 0..<12, using: &random) {
      case 0:
        cache.remove(key)
        shard.remove([Int64(key)])
      case 1:
        cache.raiseFloor(to: date)
        shard.invalidate(before: date, all: false)
      case 2:
        cache.raiseFloor(to: date)
        cache.removeAll()
        shard.invalidate(before: date, all: true)
      default:
        cache.put(.init(content: content, date: date), key)
        shard.put([row(key, .init(content: content, date: date))])
      }
      for key in 0..<3 {
        for date in [0, date, .max] {
          #expect(
            shard.get(Int64(key), at: date)?.version == cache.get(key, at: date).map { Int64($0.content) },
            "seed \(seed)")
        }
      }
    }
  }
}

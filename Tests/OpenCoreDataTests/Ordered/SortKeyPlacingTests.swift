import Testing

@_spi(Store) @testable import OpenCoreData

/// Keys for members among others whose keys are read only where it is needed.
@Suite struct SortKeyPlacingTests {
  /// Keys like those of a store, and how many of them were read and written.
  private struct Table {
    var keys: [Int64?]
    var read = 0, written = 0

    /// Puts members in the runs of positions; false if the keys around are not what they should be.
    mutating func insert(_ runs: [Range<Int>]) -> Bool {
      for run in runs { keys.insert(contentsOf: [Int64?](repeating: nil, count: run.count), at: run.lowerBound) }
      var placing = SortKeyPlacing(count: keys.count, runs: runs)
      var read = 0
      let isDone = placing.place(last: { keys.last { $0 != nil } ?? nil }) { index in
        read += 1
        return keys[index]
      }
      self.read += read
      guard isDone else { return false }
      written += placing.keys.count
      for (index, key) in placing.keys { keys[index] = key }
      return true
    }

    var isAscending: Bool {
      zip(keys, keys.dropFirst()).allSatisfy { ($0 ?? .max) < $1 ?? .min } && (keys.first ?? 1) ?? 0 > 0
    }
  }

  private func table(_ count: Int) -> Table { Table(keys: (0..<count).map { 2048 + 1024 * Int64($0) }) }

  @Test func aSingleMemberReadsItsNeighbours() {
    for (index, read) in [(0, 1), (500, 2), (1000, 0)] {
      var table = table(1000)
      #expect(table.insert([index..<index + 1]) && table.isAscending)
      #expect(table.read <= read && table.written == 1)
    }
    var empty = table(0)
    #expect(empty.insert([0..<3]) && empty.keys == [2048, 3072, 4096])
  }

  /// Wherever members are put in, it takes few keys each, however many members there are.
  @Test(arguments: ["front", "middle", "ascending", "last but one", "random", "end"], [100, 20_000])
  func fewKeysAreReadAndWritten(place: String, count: Int) {
    var generator = SeededGenerator(for: "places of sort keys")
    var table = table(count)
    let steps = 2_000
    for step in 0..<steps {
      let index =
        switch place {
        case "front": 0
        case "middle": table.keys.count / 2
        case "ascending": count / 2 + step
        case "last but one": table.keys.count - 1
        case "end": table.keys.count
        default: Int.random(in: 0...table.keys.count, using: &generator)
        }
      guard table.insert([index..<index + 1]), step % 500 > 0 || table.isAscending else {
        Issue.record("\(place) \(step)")
        return
      }
    }
    #expect(table.isAscending)
    print("\(place) of \(count): \(table.read) keys read, \(table.written) written for \(steps) insertions")
    // Among a hundred members two thousand leave no room anywhere, again and again.
    #expect(table.read < steps * 12 && table.written < steps * (count < steps ? 14 : 12))
    if place == "front" || place == "end" { #expect(table.written < steps * 4) }
  }

  @Test(arguments: RandomSeeds.seeds(20)) func manyRunsAtOnce(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    print("places of sort keys: SEED=\(seed)")
    var table = table(Int.random(in: 0...30, using: &generator))
    for round in 0..<150 {
      var runs: [Range<Int>] = []
      var index = Int.random(in: 0...3, using: &generator)
      // Before the run `index` members stand, and at least one between two runs.
      while index <= table.keys.count + runs.reduce(0, { $0 + $1.count }), runs.count < 5 {
        let run = index..<index + Int.random(in: 1...6, using: &generator)
        runs.append(run)
        index = run.upperBound + Int.random(in: 1...12, using: &generator)
      }
      #expect(table.insert(runs) && table.isAscending, "round \(round)")
      if table.keys.count > 300 { table.keys.removeFirst(250) }
    }
  }

  @Test func whatIsNoSortKeyIsRefused() {
    for keys: [Int64?] in [[5, nil, 9], [5, 5, 9], [9, 5, 9], [-3, -2, 9], [0, 1, 9], [1, .max, 9]] {
      // Between the first two, one of which is wrong, or both.
      var table = Table(keys: keys)
      #expect(!table.insert([1..<2]) || table.isAscending, "\(keys)")
    }
    var full = Table(keys: [2048, SortKeys.limit])
    #expect(full.insert([2..<5]) && full.isAscending, "room is made in front of what is used up")
    var last = Table(keys: [SortKeys.limit - 1, SortKeys.limit])
    #expect(last.insert([2..<3]) && last.isAscending)
  }
}

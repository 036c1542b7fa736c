import Testing

@testable import OpenCoreData

/// Which transactions a snapshot of a server sees.
@Suite struct TransactionSnapshotTests {
  @Test(arguments: ["10:20:10,14,15", "10:10:", "1:18446744073709551615:7", "9:20:10"]) func isReadAndPrinted(
    text: String
  ) {
    #expect(TransactionSnapshot(text)?.description == text)
  }

  @Test(
    arguments: [
      "", "10", "10:20", "10:20:30:40", "20:10:", "0:10:", "10:20:9", "10:20:20", "10:20:15,14", "10:20:,", "10:20:14,",
      "+10:20:", "10:20: 14", "a:20:", "10:18446744073709551616:",
    ])
  func whatNoServerSaysIsRefused(text: String) { #expect(TransactionSnapshot(text) == nil) }

  @Test func seesWhatHadCommitted() throws {
    let snapshot = try #require(TransactionSnapshot("10:20:10,14,14,15"))
    #expect((8...22).filter(snapshot.sees) == [8, 9, 11, 12, 13, 16, 17, 18, 19])
    #expect(snapshot.inProgress == [10, 14, 15])
  }

  /// Every snapshot with small numbers against every other: what one sees, number by number.
  @Test func includesWhatSeesNoMore() throws {
    var snapshots: [TransactionSnapshot] = []
    for xmin in 1...UInt64(4) {
      for xmax in xmin...5 {
        for bits in 0..<(1 << Int(xmax - xmin)) {
          let inProgress = (xmin..<xmax).filter { bits >> Int($0 - xmin) & 1 == 1 }
          snapshots.append(try #require(TransactionSnapshot(xmin: xmin, xmax: xmax, inProgress: inProgress)))
        }
      }
    }
    #expect(snapshots.count > 50)
    for one in snapshots {
      for other in snapshots {
        let isSubset = (1...UInt64(6)).allSatisfy { !other.sees($0) || one.sees($0) }
        #expect(one.includes(other) == isSubset, "\(one) and \(other)")
      }
    }
  }

  /// The snapshots of one server, taken one after the other while transactions begin and end by chance.
  @Test(arguments: RandomSeeds.seeds(5)) func laterOnesIncludeEarlierOnes(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed), server = SimulatedServer(keys: 6)
    var running: [Int: UInt64] = [:], taken: [TransactionSnapshot] = []
    for _ in 0..<200 {
      let key = Int.random(in: 0..<6, using: &random)
      if let transaction = running.removeValue(forKey: key) {
        if Bool.random(using: &random) { server.commit(transaction, key...key) } else { server.rollBack(transaction) }
      } else {
        running[key] = server.write(key...key)
      }
      let snapshot = try #require(server.snapshot)
      #expect(TransactionSnapshot(snapshot.description) == snapshot)
      #expect(taken.suffix(20).allSatisfy(snapshot.includes), "seed \(seed)")
      taken.append(snapshot)
    }
  }
}

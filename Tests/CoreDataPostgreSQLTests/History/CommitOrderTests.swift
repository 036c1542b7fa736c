#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLTestServer
  import Testing

  @_spi(Store) @testable import CoreDataPostgreSQL
  @_spi(Store) @testable import OpenCoreData

  /// Commits in another order than that of their numbers.
  @Suite(.enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed"))
  struct CommitOrderTests {
    @Test func aLateCommitIsToldExactlyOnce() throws {
      let url = try TestPlace.new()
      let program = try HistoryProgram(url, author: "program")
      let start = try #require(program.token)
      let late = try BareConnection(url)
      let number = try late.beginSave("late")
      try program.save("a")
      try program.save("b")
      let early = try program.history(after: start)
      #expect(early.map(\.author) == ["program", "program"])
      #expect(early.allSatisfy { $0.transactionNumber > number })
      let between = try #require(program.token)
      let places = [between] + early.map(\.token)
      try late.run("COMMIT")
      for place in places.dropFirst(2) + [between] {
        #expect(try program.history(after: place).map(\.author) == ["late"])
      }
      // Right after the first, the second is new, too; the late one comes first, by its number.
      let rest = try program.history(after: early[0].token)
      #expect(rest.map(\.author) == ["late", "program"])
      #expect(try program.history(after: rest[0].token) == [early[1]])
      // A reader who knew all others does not get them again after the late one.
      let last = try #require(try program.history(after: between).last)
      #expect(try program.history(after: last.token).isEmpty)
      #expect(try program.history(after: start).map(\.author) == ["late", "program", "program"])
    }

    /// A reader that goes on from any transaction of a result gets every one exactly once, in whatever order they commit.
    @Test(arguments: 0..<300) func readersMissNothing(_ seed: UInt64) throws {
      var random = SeededRandom(seed)
      var open: [UInt64] = [], committed: Set<UInt64> = [], next: UInt64 = 1
      var known = TransactionSnapshot.empty
      var got: [UInt64] = []
      for step in 0..<200 {
        switch Int.random(in: 0..<4, using: &random) {
        case 0, 1:
          open.append(next)
          next += 1
        case 2 where !open.isEmpty:
          let ended = open.remove(at: Int.random(in: 0..<open.count, using: &random))
          if Bool.random(using: &random) || step % 3 == 0 { committed.insert(ended) }
        default:
          let snapshot = try #require(
            TransactionSnapshot(xmin: open.min() ?? next, xmax: next, inProgress: open.sorted()))
          #expect(snapshot.includes(known))
          let found = committed.filter { snapshot.sees($0) && !known.sees($0) }.sorted()
          guard !found.isEmpty else { continue }
          let count = Int.random(in: 1...found.count, using: &random)
          got += found.prefix(count)
          known = snapshot.place(after: found[count - 1], known: known)
        }
      }
      let snapshot = try #require(TransactionSnapshot(xmin: next, xmax: next, inProgress: []))
      committed.formUnion(open)
      got += committed.filter { snapshot.sees($0) && !known.sees($0) }
      #expect(got.sorted() == committed.sorted())
    }
  }

  private struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
      state &+= 0x9e37_79b9_7f4a_7c15
      var mixed = (state ^ (state >> 30)) &* 0xbf58_476d_1ce4_e5b9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
      return mixed ^ (mixed >> 31)
    }
  }
#endif

import Testing

@_spi(Store) @testable import OpenCoreData

/// The table of decisions of a store with many writers, line by line.
@Suite struct ManyWritersDecisionTests {
  private let members = RelationID(entityNumber: 1, name: "members")
  private var freshness: ManyWritersFreshness
  private var latest: UInt64 = 1

  init() {
    freshness = ManyWritersFreshness(relations: [2: [members]], limit: 2)
    let first = read("10:10:", .unknown)
    #expect(first == .forgetEverything(readAt: 2), "nothing is known before the first look")
  }

  private func state(_ text: String) -> ServerState {
    TransactionSnapshot(text).map { .snapshot($0) } ?? .version(Int64(text) ?? 0)
  }

  private func told(_ changes: [(UInt64, Int64)]) -> ToldChanges {
    .rows(changes.map { ChangedRow(transaction: $0.0, root: 2, key: $0.1) })
  }

  private func parts(_ changes: [(UInt64, Int64)]) -> OutdatedParts {
    OutdatedParts(changes.map { ChangedRow(transaction: $0.0, root: 2, key: $0.1) }, relations: [2: [members]])
  }

  private mutating func read(
    _ text: String, _ told: ToldChanges, to question: ManyWritersFreshness.Question? = nil, attemptsLeft: Int = 1
  ) -> ManyWritersFreshness.ReadDecision {
    var latest = latest
    defer { self.latest = latest }
    return freshness.begin(
      seeing: state(text), told: told, to: question ?? freshness.ask(), attemptsLeft: attemptsLeft, latest: latest,
      nextCommit: {
        latest += 1
        return latest
      })
  }

  private mutating func save(
    _ transaction: UInt64, _ text: String?, _ told: ToldChanges, to question: ManyWritersFreshness.Question
  ) -> ManyWritersFreshness.SaveDecision {
    var latest = latest
    defer { self.latest = latest }
    return freshness.endSave(
      transaction, seeing: text.map { state($0) }, told: told, to: question,
      nextCommit: {
        latest += 1
        return latest
      })
  }

  @Test mutating func nothingTold() {
    #expect(read("10:12:10", told([])) == .readAt(2))
    #expect(freshness.digested == state("10:12:10"), "transaction 11 has rolled back")
  }

  @Test mutating func changesTold() {
    let decision = read("10:12:10", told([(11, 7)]))
    #expect(decision == .invalidate(parts([(11, 7)]), readAt: 3))
    guard case .invalidate(let outdated, _) = decision else { return }
    #expect(outdated.rows == [2: [7]] && outdated.relations == [members])
    #expect(read("10:12:10", told([])) == .readAt(3))
  }

  @Test mutating func changesToldTwice() {
    let late = freshness.ask()
    _ = read("10:12:10", told([(11, 7)]))
    #expect(read("12:12:", told([(11, 7), (10, 8)]), to: late) == .invalidate(parts([(10, 8)]), readAt: 4))
  }

  @Test mutating func tooManyTold() {
    #expect(read("14:14:", told([(11, 7), (12, 8), (13, 9)])) == .forgetEverything(readAt: 3))
    #expect(read("14:14:", told([])) == .readAt(3))
  }

  @Test mutating func aReaderBehindTheCache() {
    let late = freshness.ask()
    _ = read("12:12:", told([(11, 7)]))
    #expect(read("10:11:10", told([]), to: late) == .beginAgain)
    #expect(read("10:11:10", told([]), to: late, attemptsLeft: 0) == .readUncached)
    #expect(freshness.digested == state("12:12:"))
  }

  @Test mutating func aSaveLeavesItsOwnOut() {
    let question = freshness.ask()
    #expect(save(10, "12:12:", told([(10, 1), (11, 7)]), to: question) == .publish(at: 3, parts([(11, 7)])))
    #expect(read("12:12:", told([])) == .readAt(3))
  }

  @Test mutating func aSaveBehindTheCache() {
    let question = freshness.ask()
    _ = read("13:13:", told([(10, 1), (12, 1)]), to: question)
    #expect(save(10, "12:12:", told([(10, 1)]), to: question) == .publishUncached)
  }

  @Test mutating func aSaveInDoubt() {
    let question = freshness.ask()
    #expect(save(10, nil, .unknown, to: question) == .publishUncached)
    #expect(read("11:11:", told([(10, 1)])) == .invalidate(parts([(10, 1)]), readAt: 3))
  }

  @Test mutating func anotherServer() {
    let old = freshness.ask()
    freshness.changeServer()
    #expect(read("12:12:", told([]), to: old) == .beginAgain)
    #expect(save(10, "12:12:", told([]), to: old) == .publishUncached)
    #expect(read("9:9:", told([])) == .forgetEverything(readAt: 3), "nothing can be told of an unknown state")
  }

  /// Neither sees all that the other does: one of the two lacks commits.
  @Test mutating func aServerThatNobodyHasToldOf() {
    _ = read("10:12:10", told([]))
    #expect(read("11:12:11", told([])) == .forgetEverything(readAt: 3))
  }

  @Test mutating func countsForSnapshots() {
    freshness.changeServer()
    #expect(read("5", .unknown) == .forgetEverything(readAt: 3))
    #expect(read("5", .unknown) == .readAt(3))
    #expect(read("4", .unknown) == .beginAgain)
    #expect(save(0, "6", .unknown, to: freshness.ask()) == .publish(at: 4, parts([])))
    #expect(save(0, "8", .unknown, to: freshness.ask()) == .forgetEverything(at: 5), "7 was others'")
    #expect(save(0, "7", .unknown, to: freshness.ask()) == .publishUncached)
    #expect(read("9", .unknown) == .forgetEverything(readAt: 6))
    #expect(save(0, "9", .unknown, to: freshness.ask()) == .publish(at: 7, parts([])), "a reader saw the save first")
  }
}

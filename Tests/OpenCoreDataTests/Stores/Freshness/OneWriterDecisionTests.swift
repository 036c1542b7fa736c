import Testing

@testable import OpenCoreData

/// The table of decisions of a store with one writer, line by line.
@Suite struct OneWriterDecisionTests {
  private typealias Mark = OneWriterReading.Mark

  /// At commit 7, after four commits.
  private func reading(transaction: Int = OneWriterFreshness.noTransaction) -> OneWriterReading {
    OneWriterReading(transaction: transaction, finished: 4, latest: 7)
  }

  private func compare(_ mark: Mark, begun: Int = 4, before: Int = 0, now: Int = 0) -> OneWriterReading.Comparison {
    reading(transaction: before).compare(50, begun: begun, mark: mark, nowWriting: now)
  }

  @Test func theVersionOfTheLastTransaction() {
    #expect(compare(Mark(version: 50, finished: 1), begun: 5) == .nothingNew)
  }

  @Test func anotherVersionAndNoCommitOfOurs() {
    #expect(compare(Mark(version: 49, finished: 4)) == .forgetEverything)
  }

  @Test func aSaveThatWasWritingAndStillIs() {
    #expect(compare(Mark(version: 49, finished: 3), before: 9, now: 9) == .nothingNew)
    #expect(compare(Mark(version: 49, finished: 3), before: 9, now: 10) == .askWriter)
    #expect(compare(Mark(version: 49, finished: 3), before: 9, now: 0) == .askWriter)
    #expect(compare(Mark(version: 49, finished: 3), before: 0, now: 0) == .askWriter)
  }

  /// It must not make everybody read anew: what is cached may be right.
  @Test func aConnectionThatKnowsNothing() {
    #expect(compare(Mark()) == .askWriter)
    #expect(compare(Mark(version: nil, finished: 4)) == .askWriter)
  }

  @Test(arguments: [false, true, nil], [4, 5]) func whatItReadsAt(isForeign: Bool?, begun: Int) {
    var mark = Mark(version: 49, finished: 3)
    func decide(_ attemptsLeft: Int) -> OneWriterReading.Decision {
      reading().decide(isForeign: isForeign, version: 50, begun: begun, attemptsLeft: attemptsLeft, mark: &mark)
    }
    let isKnown = isForeign == false && begun == 4
    #expect(decide(1) == (isKnown ? .readAt(7) : .beginAgain))
    #expect(decide(0) == (isKnown ? .readAt(7) : .readUncached))
    #expect(mark == Mark(version: isForeign == nil ? nil : 50, finished: 4))
  }

  @Test func theWriterLooks() {
    var freshness = OneWriterFreshness()
    #expect(freshness.look(5) == .nothingNew, "there is nothing to compare it with")
    #expect(freshness.look(5) == .nothingNew)
    #expect(freshness.look(6) == .forgetEverything)
    #expect(freshness.look(6) == .nothingNew)
    freshness.changeConnection()
    #expect(freshness.look(1) == .nothingNew)
    #expect([freshness.beginTransaction(), freshness.beginTransaction()] == [1, 2])
    #expect([freshness.beginCommit(), freshness.endCommit(), freshness.beginCommit()] == [1, 1, 2])
  }
}

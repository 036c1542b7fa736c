import Testing

@testable import OpenCoreData

/// A store with one writer: every interleaving of saves, readers and another process, over a model of the database and
/// of the row cache. What must hold in each is in `OneWriterModel`.
@Suite struct OneWriterFreshnessTests {
  typealias Script = OneWriterScript

  /// Each is small enough that all its interleavings are run; the smallest come first.
  private static func scripts(_ broken: Script.Broken? = nil) -> [Script] {
    [
      Script([.rollsBack, .reads, .commitsElsewhere], rounds: 2, attempts: 0, broken: broken),
      Script([.reads, .reads, .commitsElsewhere], attempts: 0, isWarm: false, broken: broken),
      // Two transactions that are dated alike see the same, beside other processes, too.
      Script([.reads, .reads, .commitsElsewhere], attempts: 0, isWarm: false, checksDates: true, broken: broken),
      Script([.deletes, .reads], attempts: 0, checksDates: true, broken: broken),
      Script([.saves, .reads], checksDates: true, broken: broken),
      Script([.saves, .reads, .commitsElsewhere], attempts: 0, broken: broken),
      Script([.failsToCommit, .reads, .commitsElsewhere], rounds: 2, attempts: 0, broken: broken),
      Script([.saves, .reads, .commitsElsewhere], attempts: 0, isWarm: false, broken: broken),
      Script([.saves, .reads, .commitsElsewhere], rounds: 2, attempts: 0, broken: broken),
      Script([.saves, .reads], rounds: 2, attempts: 0, commits: 2, checksDates: true, broken: broken),
    ]
  }

  @Test(arguments: scripts().indices) func everyInterleaving(script index: Int) {
    let script = Self.scripts()[index], start = ContinuousClock.now
    let all = Interleavings.all(of: OneWriterModel(script))
    print("one writer, \(script.roles): \(all.states) states, \(all.orders) orders, \(ContinuousClock.now - start)")
    #expect(all.failure == nil, "\(all.failure ?? "")")
    #expect(all.orders > 1_000_000)
  }

  /// Each rule is needed: without it some interleaving goes wrong.
  @Test(arguments: Script.Broken.allCases) func aBrokenRuleIsFound(broken: Script.Broken) {
    let found = Self.scripts(broken).lazy.compactMap { Interleavings.all(of: OneWriterModel($0)).failure }.first
    #expect(found != nil)
  }

  /// Long runs, by chance.
  @Test func longRuns() {
    var random = SeededGenerator(for: "one writer")
    let script = Script(
      [.saves, .deletes, .failsToCommit, .rollsBack, .reads, .reads, .reads, .commitsElsewhere], rounds: 5, attempts: 2,
      commits: 3, isWarm: false)
    let some = Interleavings.some(300 * Soak.factor, of: OneWriterModel(script), using: &random)
    #expect(some.failure == nil, "\(some.failure ?? "")")
    #expect(some.states > 100_000)
  }
}

import Testing

@testable import OpenCoreData

/// A store on a server with many writers: every interleaving of saves, readers and other processes that commit out of
/// order or roll back. What must hold in each is in `ManyWritersModel`.
@Suite struct ManyWritersFreshnessTests {
  typealias Script = ManyWritersScript
  typealias Role = ManyWritersScript.Role

  /// Each is small enough that all its interleavings are run; the smallest come first.
  private static func scripts(_ broken: Script.Broken? = nil) -> [Script] {
    let one = Role(kind: .commitsElsewhere), other = Role(kind: .commitsElsewhere, keys: 1...1)
    let both = Role(kind: .commitsElsewhere, keys: 0...1), rollsBack = Role(kind: .rollsBackElsewhere, keys: 1...1)
    let reads = Role(kind: .reads), saves = Role(kind: .saves), savesOther = Role(kind: .saves, keys: 1...1)
    return [
      Script([reads, reads, both], attempts: 0, broken: broken),
      Script([saves, reads, both], broken: broken),
      Script([Role(kind: .savesInDoubt), reads, both], broken: broken),
      Script([reads, one, other, rollsBack], broken: broken),
      Script([saves, savesOther, both], broken: broken),
      Script([saves, reads, one], attempts: 0, hasSnapshots: false, broken: broken),
      Script([saves, reads, one], attempts: 0, limit: 0, broken: broken),
      Script([saves, Role(kind: .reads, times: 2), one, one], attempts: 0, keys: 1, broken: broken),
      Script([saves, reads, reads, one], attempts: 0, keys: 1, broken: broken),
      Script([saves, saves, reads], attempts: 0, keys: 1, broken: broken),
    ]
  }

  @Test(arguments: scripts().indices) func everyInterleaving(script index: Int) {
    let script = Self.scripts()[index], start = ContinuousClock.now
    let all = Interleavings.all(of: ManyWritersModel(script))
    let kinds = script.roles.map(\.kind)
    print("many writers, \(kinds): \(all.states) states, \(all.orders) orders, \(ContinuousClock.now - start)")
    #expect(all.failure == nil, "\(all.failure ?? "")")
    #expect(all.orders > 100_000)
  }

  /// Each rule is needed: without it some interleaving goes wrong.
  @Test(arguments: Script.Broken.allCases) func aBrokenRuleIsFound(broken: Script.Broken) {
    let found = Self.scripts(broken).lazy.compactMap { Interleavings.all(of: ManyWritersModel($0)).failure }.first
    #expect(found != nil)
  }

  /// Long runs, by chance.
  @Test(arguments: [true, false]) func longRuns(hasSnapshots: Bool) {
    var random = SeededGenerator(for: "many writers")
    let script = Script(
      [
        Role(kind: .saves, keys: 0...1, times: 3), Role(kind: .saves, keys: 1...2, times: 3),
        Role(kind: .savesInDoubt, keys: 2...2, times: 2), Role(kind: .reads, times: 4), Role(kind: .reads, times: 4),
        Role(kind: .commitsElsewhere, times: 3), Role(kind: .commitsElsewhere, keys: 2...2, times: 3),
        Role(kind: .rollsBackElsewhere, keys: 1...1, times: 3), Role(kind: .commitsElsewhere, keys: 0...2, times: 2),
      ], attempts: 2, hasSnapshots: hasSnapshots, limit: 4, keys: 3)
    let some = Interleavings.some(300 * Soak.factor, of: ManyWritersModel(script), using: &random)
    #expect(some.failure == nil, "\(some.failure ?? "")")
    #expect(some.states > 30_000)
  }
}

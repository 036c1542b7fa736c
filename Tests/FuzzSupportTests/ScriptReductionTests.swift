import FuzzSupport
import Testing

/// A failing script is cut down to what it takes, in its order.
@Suite struct ScriptReductionTests {
  private let lines = (0..<40).map { "\($0)" }

  @Test(arguments: [[7], [0, 39], [3, 4, 20, 31]]) func onlyWhatFailsIsLeft(_ needed: [Int]) {
    let wanted = needed.map { "\($0)" }
    let short = ScriptReduction.minimal(lines) { part in wanted.allSatisfy(part.contains) }
    #expect(short == wanted)
  }

  @Test func attemptsAreLimited() {
    var attempts = 0
    let short = ScriptReduction.minimal(lines, attempts: 5) { _ in
      attempts += 1
      return false
    }
    #expect(short == lines && attempts == 5)
  }
}

import Foundation
import Testing

@testable import FuzzSupport

struct FuzzCampaignTests {
  private struct Stopped: Error {}

  @Test func aRunGoesOnWhereOneWasStopped() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("ocd-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let environment = ["FUZZ_STATE": folder.path, "SOAK": "2"]
    var seeds: [UInt64] = []
    let first = FuzzCampaign("stops early", cases: 5, environment: environment)
    #expect(throws: Stopped.self) {
      try first.run { seed in
        if seeds.count == 3 { throw Stopped() }
        seeds.append(seed)
      }
    }
    let second = FuzzCampaign("stops early", cases: 5, environment: environment)
    #expect(second.numbers == 3..<10)
    try second.run { seeds.append($0) }
    #expect(seeds == (0..<10).map(first.caseSeed), "each case once, in order, of the seed of the first run")
    #expect(FuzzCampaign("stops early", cases: 5, environment: environment).numbers.isEmpty)
    #expect(FuzzCampaign("stops early", cases: 10, environment: environment).numbers == 10..<20, "a longer one goes on")
  }

  @Test func theSeedOfTheEnvironmentRepeatsTheCases() {
    let first = FuzzCampaign("repeated", cases: 3, environment: ["SEED": "7"])
    let second = FuzzCampaign("repeated", cases: 3, environment: ["SEED": "7"])
    #expect(first.seed == 7)
    #expect(first.numbers.map(first.caseSeed) == second.numbers.map(second.caseSeed))
    #expect(Set(first.numbers.map(first.caseSeed)).count == 3)
  }
}

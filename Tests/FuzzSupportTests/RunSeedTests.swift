import Testing

@testable import FuzzSupport

@Suite struct RunSeedTests {
  @Test func aRunRepeatsItsSeeds() {
    let environment = ["RUN_SEED": "7"]
    let drawn = (1...3).map { _ in RunSeed.next(for: "repeated seeds", environment: environment) }
    #expect(Set(drawn).count == 3)
    #expect(drawn[0] != RunSeed.next(for: "other seeds", environment: environment))
    // What another process would draw: fixed, so that a change of the way shows.
    #expect(drawn[0] == Self.fnv("7 repeated seeds 1"))
  }

  @Test func aSeedComesFirst() {
    #expect(RunSeed.next(for: "named", environment: ["SEED": "5", "RUN_SEED": "7"]) == 5)
  }

  @Test func withoutBothItIsRandom() {
    #expect(RunSeed.next(for: "random", environment: [:]) != RunSeed.next(for: "random", environment: [:]))
  }

  private static func fnv(_ text: String) -> UInt64 {
    text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}

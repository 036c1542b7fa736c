import Foundation
import PerformanceTuning
import Testing
import ToolProcess

/// Speed that does not depend on the machine: how many statements a walk needs.
@Suite struct StatementCountTests {
  private func run(_ people: Int, _ selfies: Int, _ networks: Int, _ test: String) throws -> Tool {
    try Tool(
      "tune", "--json", "--test", test, "--people", "\(people)", "--selfies", "\(selfies)", "--networks",
      "\(networks)")
  }

  @Test func singleFaultReadsAheadWhereRelationshipsAreWalked() throws {
    let selects = try run(12, 10, 8, "SingleFault").count("statements", of: "SingleFault")
    // The selfies; two relationships, of one selfie, then two, four and the rest; and at most a batch of rows for each entity.
    #expect((7...11).contains(selects), "\(selects)")
  }

  @Test func singleFaultAtFullSizeNeedsNoMoreThan1200() throws {
    // Both factors of the full size, apart: as many walks, and as many objects to fault in.
    let walks = try run(4, 500, 4, "SingleFault").count("statements", of: "SingleFault")
    let objects = try run(500, 2, 500, "SingleFault").count("statements", of: "SingleFault")
    #expect(walks + objects <= 1_200, "\(walks) and \(objects)")
  }

  @Test func prefetchNeedsAFewSelectsWhateverTheSize() throws {
    let small = try run(12, 10, 8, "Prefetch").count("statements", of: "Prefetch")
    let large = try run(60, 50, 40, "Prefetch").count("statements", of: "Prefetch")
    #expect(small == large)
    #expect(small <= 6, "\(small)")
  }

  @Test func warmCacheFiresNoFault() throws {
    let tool = try run(12, 10, 8, "Cache")
    let faults = try tool.count("faults", of: "Cache")
    // Each object fires once at most, though all are read twice.
    #expect(faults <= 30 + 20, "\(faults)")
  }

  @Test func subqueryByTheStoreIsOneSelect() throws {
    // By hand: people, their selfies, the selfies' rows. By the store: one more.
    let selects = try run(12, 10, 8, "Subquery").count("statements", of: "Subquery")
    #expect(selects <= 1 + 12 + 2 + 1, "\(selects)")
  }
}

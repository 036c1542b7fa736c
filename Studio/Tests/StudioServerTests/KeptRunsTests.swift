import Foundation
import Testing

@testable import StudioServer

/// How runs are kept: by names that sort by time, also within one second.
@Suite struct KeptRunsTests {
  @Test func namesSortByTimeWithinASecond() {
    // The end of a name is random, so that one pair alone might be in order by chance.
    let start = Date(timeIntervalSinceReferenceDate: 817_000_000)
    let names = (0..<50).map { KeptRuns.newID(start.addingTimeInterval(Double($0) * 0.02 + 0.0005)) }
    #expect(names == names.sorted())
    #expect(names.first?.hasPrefix("20261122-002640000-") == true, "\(names[0])")
  }
}

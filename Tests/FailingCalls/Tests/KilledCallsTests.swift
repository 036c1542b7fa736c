import FuzzSupport
import Testing

/// Runs operations on stores in a process that is killed at the N-th system call that changes something on the disk. The store
/// must be in its old or its new state. A second try must lead to the new state, and leave nothing of the first one.
///
/// By default the test runs 20 cases of eight operations; the size and the operations are chosen as for `FailingCallsTests`.
@Suite struct KilledCallsTests {
  @Test(.enabled(if: PreloadedLibrary.url != nil, "there is no C compiler to make the library that kills at calls"))
  func aKillLeavesTheOldOrTheNewState() throws {
    let worker = try FaultWorker(try #require(PreloadedLibrary.url))
    let campaign = FuzzCampaign("killed calls", cases: 20, smallSeed: 20_261_128)
    try FaultCaseList(worker: worker, campaign: campaign, modes: "killing-modes", takesTurns: true).run { $0 }
  }
}

import FuzzSupport
import Testing

/// Runs operations on stores while the N-th system call fails, once or from then on. The operation must succeed or report an
/// error, and the store must be in its old or its new state. A second try without faults must lead to the new state.
///
/// By default the test runs 20 cases of eight operations. With `SOAK=10000` it runs all calls, kinds and failure modes of all
/// operations; with `FUZZ_STATE` it continues where it was stopped. `OPERATIONS=save-WAL,backup-WAL` selects operations.
@Suite struct FailingCallsTests {
  @Test(.enabled(if: PreloadedLibrary.url != nil, "there is no C compiler to make the library that makes calls fail"))
  func whateverFailsIsReported() throws {
    let worker = try FaultWorker(try #require(PreloadedLibrary.url))
    let campaign = FuzzCampaign("failing calls", cases: 20, smallSeed: 20_261_128)
    try FaultCaseList(worker: worker, campaign: campaign, modes: "modes", takesTurns: false).run { text in
      let isKnown = text.hasPrefix("success") || text.hasPrefix("not reached")
      return isKnown ? String(text.prefix { $0 != "," }) : "reported"
    }
  }
}

import Dispatch
import Synchronization

/// Measures how long the main queue does not answer: sends it a block every two milliseconds, and takes the time until the block
/// runs.
final class Heartbeat: Sendable {
  /// How long a touch would have waited. Times are in seconds.
  struct Stalls: Codable, Sendable {
    var longest: Double
    /// 99 of 100 touches at random moments would have waited no longer.
    var percentile99: Double
    /// The number of blocks that were answered.
    var answers: Int

    /// - Parameters:
    ///   - waits: The time that each block waited.
    ///   - interval: The time between an answer and the next block.
    init(waits: [Double], interval: Double) {
      // While a block waits, none is sent. Those that would have been sent meanwhile would have waited, too: without them, a
      // stall of a second would count as one wait among hundreds of short ones.
      var all: [Double] = []
      for wait in waits { all += stride(from: wait, to: 0, by: -interval) }
      all.sort()
      longest = all.last ?? 0
      percentile99 = all.isEmpty ? 0 : all[min(all.count - 1, all.count * 99 / 100)]
      answers = waits.count
    }
  }

  private struct State {
    var waits: [Double] = []
    var ending: CheckedContinuation<Void, Never>?
    var hasEnded = false
  }

  private static let interval = 0.002
  private let queue = DispatchQueue(label: "heartbeat", qos: .userInteractive)
  private let state = Mutex(State())

  init() { beat() }

  private func beat() {
    let sent = ContinuousClock.now
    DispatchQueue.main.async { [self] in
      let wait = sent.duration(to: .now) / .seconds(1)
      let ending = state.withLock { state in
        state.waits.append(wait)
        state.hasEnded = state.ending != nil
        return state.ending
      }
      if let ending { return ending.resume() }
      queue.asyncAfter(deadline: .now() + Self.interval) { self.beat() }
    }
  }

  /// Waits for the answer that is still to come, ends the measurement, and returns what it has found.
  /// On the main queue, so that it does not answer between the end of the work and this.
  @MainActor func stop() async -> Stalls {
    await withCheckedContinuation { ending in state.withLock { $0.ending = ending } }
    return Stalls(waits: state.withLock { $0.waits }, interval: Self.interval)
  }
}

import Foundation
import Testing

/// How much random and concurrency tests do: little by default, `SOAK=20` does twenty times as much.
enum Soak {
  static let factor = max(1, Int(ProcessInfo.processInfo.environment["SOAK"] ?? "") ?? 1)

  /// Runs `body` on that many threads of its own, and waits for all of them.
  static func threads(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) {
    let group = DispatchGroup()
    for number in 0..<count {
      group.enter()
      // Threads and not a queue's: they block, and must not starve what they wait for.
      Thread.detachNewThread {
        do { try body(number) } catch { Issue.record(error) }
        group.leave()
      }
    }
    #expect(
      group.wait(timeout: .now() + Patience.seconds * Double(factor)) == .success, "the threads wait for each other")
  }

  /// Waits until `condition` holds.
  static func wait(_ condition: () throws -> Bool) rethrows -> Bool {
    let end = ContinuousClock.now + .seconds(Patience.seconds)
    while ContinuousClock.now < end {
      if try condition() { return true }
      usleep(2000)
    }
    return false
  }
}

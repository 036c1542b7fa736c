import Foundation
import Synchronization

@_spi(Store) @testable import OpenCoreData

/// Ends the process when threads do not get on any more: a test that hangs tells nobody why.
final class Watchdog: Sendable {
  /// Steps done, by driver; nil for one that is done.
  private let steps: Mutex<[Int?]>

  init(drivers: Int) { steps = Mutex(Array(repeating: 0, count: drivers)) }

  func step(_ driver: Int) { steps.withLock { $0[driver]? += 1 } }

  func end(_ driver: Int) { steps.withLock { $0[driver] = nil } }

  /// Watches until all drivers are done.
  /// - Parameter seconds: how long none of them may have done a step.
  func watch(seconds: Double, _ describe: () -> String) {
    var last = steps.withLock { $0 }, since = Date()
    while last.contains(where: { $0 != nil }) {
      usleep(20_000)
      let now = steps.withLock { $0 }
      if now != last { (last, since) = (now, Date()) }
      if Date().timeIntervalSince(since) > seconds {
        fatalError("The contexts stand still for \(seconds) s; steps: \(now).\n\(describe())")
      }
    }
  }
}

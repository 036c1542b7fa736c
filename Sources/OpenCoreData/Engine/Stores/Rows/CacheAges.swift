import Foundation

/// The ages of the rows in a cache. They are noted only after a context with a positive staleness interval has asked for
/// them; the age of earlier rows is unknown, and they count as old. Belongs to the cache's lock.
package struct CacheAges {
  private var moments: [Int64: UInt64] = [:]
  package private(set) var areNoted = false

  /// Something was read, or found to be as it was read, now.
  package mutating func note(_ key: Int64, at moment: UInt64) { moments[key] = moment }

  /// Whether the row under `key` is older than that many seconds.
  package mutating func isOld(_ key: Int64, _ interval: TimeInterval) -> Bool {
    guard interval > 0 else { return true }
    areNoted = true
    guard let moment = moments[key] else { return true }
    return Double(Self.now() - moment) > interval * 1e9
  }

  package mutating func removeAll() { moments = [:] }

  package mutating func remove(_ key: Int64) { moments[key] = nil }

  /// Nanoseconds of a clock that never goes back.
  package static func now() -> UInt64 { DispatchTime.now().uptimeNanoseconds }
}

import Foundation

/// The ages of a cache's entries. They are noted only after a context with a positive staleness interval has asked for one.
/// An entry from before that has no known age, and counts as old. The cache's lock guards the ages.
package struct CacheAges {
  private var moments: [Int64: UInt64] = [:]
  package private(set) var areNoted = false

  /// Notes that an entry was read, or found to be unchanged, at that moment.
  package mutating func note(_ key: Int64, at moment: UInt64) { moments[key] = moment }

  /// Returns whether the entry under `key` is older than that many seconds.
  package mutating func isOld(_ key: Int64, _ interval: TimeInterval) -> Bool {
    guard interval > 0 else { return true }
    areNoted = true
    guard let moment = moments[key] else { return true }
    return Double(Self.now() - moment) > interval * 1e9
  }

  package mutating func removeAll() { moments = [:] }

  package mutating func remove(_ key: Int64) { moments[key] = nil }

  /// Returns the nanoseconds of a clock that never goes back.
  package static func now() -> UInt64 { DispatchTime.now().uptimeNanoseconds }
}

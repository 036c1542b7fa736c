import ExampleSupport
import Foundation

/// The result of a run, in the structure of its JSON. Times are in seconds.
struct Report: Codable, JSONReport {
  /// The building of the stack on another thread.
  struct Opening: Codable {
    var elapsed: Double
    /// The number of turns that the main thread had while the store was opened.
    var mainThreadTurns: Int
  }

  /// The context that writes.
  struct Writing: Codable {
    /// The number of saves; each of them inserts one object.
    var saves: Int
    var elapsed: Double
    /// How often an observer of the context's `hasChanges` was told: when it had changes, and when they were saved.
    var changesTold: Int
  }

  /// The context that reads.
  struct Reading: Codable {
    var reads: Int
    /// The longest time from the request for a count to its result.
    var longest: Double
    /// The part of all objects that the last count found, from 0 to 1.
    var fraction: Double
  }

  var store: String
  var count: Int
  var opening: Opening
  var writing: Writing
  var reading: Reading

  /// The report for people.
  var text: String {
    let rate = writing.elapsed > 0 ? Int(Double(writing.saves) / writing.elapsed) : 0
    return String(
      format: "%ld saves in %.2f s, %ld a second, in one context; %ld reads in the other, none longer than %.1f ms\n"
        + "An observer of hasChanges was told %ld times: of each insert, and of each save",
      writing.saves, writing.elapsed, rate, reading.reads, reading.longest * 1000, writing.changesTold)
  }
}

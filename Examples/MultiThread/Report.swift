import ExampleSupport
import Foundation

/// What a run found, in the shape of its JSON. Times are in seconds.
struct Report: Codable, JSONReport {
  /// Building the stack on another thread.
  struct Opening: Codable {
    var elapsed: Double
    /// How often the main thread had its turn meanwhile.
    var mainThreadTurns: Int
  }

  /// The context that writes.
  struct Writing: Codable {
    /// How many objects were inserted, each with a save of its own.
    var saves: Int
    var elapsed: Double
  }

  /// The context that reads.
  struct Reading: Codable {
    var reads: Int
    /// The longest time from asking for a count to having it.
    var longest: Double
    /// What part of the objects was there at the last look.
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
      format: "%ld saves in %.2f s, %ld a second, in one context; %ld reads in the other, none longer than %.1f ms",
      writing.saves, writing.elapsed, rate, reading.reads, reading.longest * 1000)
  }
}

import ExampleSupport
import Foundation

/// The result of a run, in the structure of its JSON. Times are in seconds, memory in MB of 1,048,576 bytes.
struct Report: Codable, JSONReport {
  /// The import in one arrangement.
  struct Run: Codable {
    var arrangement: Arrangement
    /// The number of songs that were imported.
    var count: Int
    /// The number of songs in a save.
    var part: Int
    var stalls: Heartbeat.Stalls
    /// The time until the last song was in the store.
    var written: Double
    /// The time until the list showed all songs.
    var listed: Double
    /// Songs in a second, until the last one was in the store.
    var throughput: Double
    var memory: Double
    var statements: Int
    /// The statements that read rows, for fetches and for faults.
    var reads: Int
    /// The faults that fired, and those of them that the row cache could not answer.
    var faults: Int
    var misses: Int
    /// The number of saves that wrote to the store.
    var saves: Int
    /// How often the list's delegate was told of a change, and of the end of all changes of an event.
    var changes: Int
    var reports: Int
    /// How often the list fetched everything.
    var fetches: Int
    var edits: Int
    /// The longest time of an edit with its save.
    var longestEdit: Double
    var songsListed: Int
    var songsStored: Int
    /// The number of songs that the person has edited, and of those whose last edit is in the store.
    var songsEdited: Int
    var editsStored: Int
  }

  var count: Int
  var part: Int
  /// The milliseconds between two edits.
  var pause: Int
  var runs: [Run] = []
  var saves: [SaveSizes.Measure] = []
  var levels: [FetchLevels.Measure] = []
  var waiting: [Waiting.Measure] = []
  var mistakes: [Mistake] = []
  var editor: [EditorWalk.Step] = []
}

/// What can be run by itself.
enum Part: String, CaseIterable, Codable, Sendable {
  case arrangements, saves, levels, waiting, mistakes, editor
}

/// A mistake, beside the right way.
struct Mistake: Codable {
  var title: String
  /// What the framework answers to the mistake.
  var wrong: String
  /// What the right way gives.
  var right: String
}

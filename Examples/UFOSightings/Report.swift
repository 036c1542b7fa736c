import ExampleSupport
import Foundation

/// The result of a run, in the structure of its JSON. Times are in seconds, sizes in bytes.
struct Report: JSONReport, Codable {
  struct Import: Codable {
    enum How: String, Codable { case naive, merging }

    var how: How
    /// Whether the sightings were in the store already.
    var isAgain: Bool
    var result: Imported
    var cost: Cost
  }

  struct Counting: Codable {
    var how: ShapeCounter
    /// The number of sightings of each shape.
    var counts: [String: Int]
    var cost: Cost
  }

  struct Search: Codable {
    var how: SightingSearch
    /// The number of sightings found.
    var found: Int
    var cost: Cost
    /// The statements that read rows.
    var statements: [Explanation]
  }

  struct Indexing: Codable {
    /// The number of different words.
    var tokens: Int
    var cost: Cost
  }

  struct Seed: Codable {
    var size: Int
    /// The cost of making the seed, if it was made in this run.
    var making: Cost?
    /// Whether the store was copied from the seed, because there was no store yet.
    var isCopied: Bool
    /// The cost from the start until the sightings can be read.
    var launch: Cost
    /// The number of sightings after the launch.
    var sightings: Int
  }

  /// A run with a seed that is fetched.
  struct Fetching: Codable {
    enum Outcome: String, Codable { case installed, replaced, isCurrent, failed }

    /// One of the user's own objects.
    struct Marked: Codable, Equatable {
      var text: String
      /// The place of its sighting; nil if the seed has no such sighting.
      var place: String?
    }

    /// The cost of opening the stores that are there, beside the download.
    var opening: Cost
    /// The number of sightings when the program was open.
    var before: Int
    var outcome = Outcome.isCurrent
    /// Why no seed was fetched.
    var failure: String?
    var size = 0
    /// The bytes that an earlier run had left.
    var kept = 0
    var received = 0
    /// How often the download went on after it was interrupted in this run.
    var resumed = 0
    var download: Cost?
    /// The cost of exchanging the seeds while the program is open.
    var installing: Cost?
    var after = 0
    var marks: [Marked] = []
  }

  var count: Int
  /// The cost of writing the JSON.
  var generating: Cost?
  var imports: [Import] = []
  var shapes: [Counting] = []
  var indexing: Indexing?
  /// The text that was searched for.
  var sought: String
  var searches: [Search] = []
  var seeds: [Seed] = []
  var fetching: Fetching?
}

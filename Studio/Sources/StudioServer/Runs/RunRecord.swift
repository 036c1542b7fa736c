import Foundation

/// A run of a test program that was kept: what was chosen, and what came of it.
struct RunRecord: Codable, Sendable {
  /// One thing that was measured.
  struct Measure: Codable, Sendable {
    var name: String
    var seconds: Double
    var statements: Int?
    var rows: Int?
    var faults: Int?
    var cacheHits: Int?
    /// The most live objects.
    var objects: Int?
    /// The most that the process had in memory.
    var bytes: Int?
    /// What came out of it, in the program's words.
    var result: String?
  }

  /// Measures of the same store: of a design with indexes; most programs have one.
  struct Series: Codable, Sendable {
    var title: String
    var measures: [Measure]
  }

  struct Setting: Codable, Sendable, Equatable {
    var name: String
    var title: String
    var values: [String]
  }

  /// Of the form of the file.
  static let currentVersion = 1

  var version = currentVersion
  var id: String
  var program: String
  var title: String
  var settings: [Setting]
  var started: Date
  /// Of the whole process.
  var seconds: Double
  var processorSeconds: Double
  var peakBytes: Int
  var series: [Series]
  var isRecorded: Bool
  /// What the program said where a test found something wrong.
  var failure: String?

  /// The settings in a line.
  var settingsText: String {
    settings.map { "\($0.title.lowercased()) \($0.values.joined(separator: ", "))" }.joined(separator: "; ")
  }
}

import Foundation

/// A kept run of a test program: the chosen options and the results.
struct RunRecord: Codable, Sendable {
  /// One measured value.
  struct Measure: Codable, Sendable {
    var name: String
    var seconds: Double
    var statements: Int?
    var rows: Int?
    var faults: Int?
    var cacheHits: Int?
    /// The largest number of live objects.
    var objects: Int?
    /// The largest memory of the process, in bytes.
    var bytes: Int?
    /// The result in the program's words.
    var result: String?
  }

  /// The measures of one store, for instance of a design with indexes; most programs have one series.
  struct Series: Codable, Sendable {
    var title: String
    var measures: [Measure]
  }

  struct Setting: Codable, Sendable, Equatable {
    var name: String
    var title: String
    var values: [String]
  }

  /// The version of the file's format.
  static let currentVersion = 1

  var version = currentVersion
  var id: String
  var program: String
  var title: String
  var settings: [Setting]
  var started: Date
  /// The duration of the whole process, in seconds.
  var seconds: Double
  var processorSeconds: Double
  var peakBytes: Int
  var series: [Series]
  var isRecorded: Bool
  /// The message of the program if a check of a test failed.
  var failure: String?

  /// The settings in one line.
  var settingsText: String {
    settings.map { "\($0.title.lowercased()) \($0.values.joined(separator: ", "))" }.joined(separator: "; ")
  }
}

import Foundation

/// A sighting in the JSON file.
struct SightingRecord: Codable, Equatable, Sendable {
  /// The identifier, which is the same for the same sighting in every file.
  var identifier: String
  var shape: String
  var place: String
  var date: Date
  /// The duration in seconds.
  var duration: Int64
}

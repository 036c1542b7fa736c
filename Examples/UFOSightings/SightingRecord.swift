import Foundation

/// A sighting as the JSON has it.
struct SightingRecord: Codable, Equatable, Sendable {
  /// The same for the same sighting, in every file.
  var identifier: String
  var shape: String
  var place: String
  var date: Date
  /// In seconds.
  var duration: Int64
}

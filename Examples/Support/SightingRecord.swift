import Foundation

/// A sighting in the JSON file.
package struct SightingRecord: Codable, Equatable, Sendable {
  /// The identifier, which is the same for the same sighting in every file.
  package var identifier: String
  package var shape: String
  package var place: String
  package var date: Date
  /// The duration in seconds.
  package var duration: Int64

  package init(identifier: String, shape: String, place: String, date: Date, duration: Int64) {
    (self.identifier, self.shape, self.place, self.date, self.duration) = (identifier, shape, place, date, duration)
  }
}

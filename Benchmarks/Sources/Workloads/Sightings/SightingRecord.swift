import Foundation

/// The values of a sighting to import, the same as in `Baseline/sighting_data.c`.
struct SightingRecord {
  var uid: String
  var shape: String
  var city: String
  var date: Date

  /// Returns all 60,000 sightings.
  static func make() -> [SightingRecord] {
    var numbers = XorShift(seed: 99)
    return (0..<60_000).map { SightingRecord(number: $0, from: &numbers) }
  }

  private init(number: Int, from numbers: inout XorShift) {
    let place = String(number)
    uid = "ufo-\(numbers.next().hexadecimal(digits: 8))-\(String(repeating: "0", count: 5 - place.count))\(place)"
    shape = Self.shapes[numbers.next(below: 21)]
    city = "City \(numbers.next(below: 5000)) of State"
    date = Date(timeIntervalSinceReferenceDate: Double(numbers.next(below: 500_000_000)))
  }

  private static let shapes = [
    "light", "triangle", "circle", "fireball", "unknown", "other", "sphere", "disk", "oval", "formation", "cigar",
    "changing", "flash", "rectangle", "cylinder", "diamond", "chevron", "egg", "teardrop", "cone", "cross",
  ]

  /// Sets these values in a sighting.
  func fill(_ sighting: Sighting) {
    sighting.uid = uid
    sighting.shape = shape
    sighting.city = city
    sighting.date = date
  }
}

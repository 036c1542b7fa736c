import Foundation

/// The function `distanceToLocation:fromLocation:` of two places on earth.
///
/// There is no CLLocation on this platform. A place is any object or dictionary with the keys `coordinate.latitude` and
/// `coordinate.longitude`, or `latitude` and `longitude`, in degrees.
enum Locations {
  /// Returns the distance in metres along the surface of a sphere with the earth's mean radius; nil if a place is nil or has
  /// no numbers as latitude and longitude.
  static func distance(_ left: Any?, _ right: Any?) throws -> NSNumber? {
    guard let (latitude1, longitude1) = try coordinate(of: left),
      let (latitude2, longitude2) = try coordinate(of: right)
    else {
      return nil
    }
    let alongMeridian = sin((latitude2 - latitude1) / 2)
    let alongParallel = sin((longitude2 - longitude1) / 2)
    let chord =
      alongMeridian * alongMeridian + cos(latitude1) * cos(latitude2) * alongParallel * alongParallel
    return NSNumber(value: 2 * earthRadius * asin(min(1, chord.squareRoot())))
  }

  private static let earthRadius = 6_371_008.8

  /// Returns the latitude and the longitude of a place in radians.
  private static func coordinate(of place: Any?) throws -> (Double, Double)? {
    guard let place = unwrapped(place), !isNull(place) else { return nil }
    let isNested =
      KeyValueCoding.dictionary(place).map { $0["coordinate"] != nil }
      ?? Mirror(reflecting: place).children.contains { $0.label == "coordinate" }
    let coordinate: Any? = try isNested ? KeyValueCoding.askedValue(of: place, forKey: "coordinate") : place
    guard let latitude = try KeyValueCoding.askedValue(of: coordinate, forKey: "latitude") as? NSNumber,
      let longitude = try KeyValueCoding.askedValue(of: coordinate, forKey: "longitude") as? NSNumber
    else { return nil }
    return (latitude.doubleValue * .pi / 180, longitude.doubleValue * .pi / 180)
  }
}

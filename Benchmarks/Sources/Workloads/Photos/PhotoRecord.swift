import CoreData
import Foundation

/// The values of a photo to insert, the same as in `Baseline/photo_data.c`.
struct PhotoRecord {
  var assetURL: String
  var country: String
  var date: Date
  var height: Int32
  var latitude: Double
  var likes: Int32
  var locationDesc: String
  var longitude: Double
  var size: Int64
  var width: Int32

  /// Returns the first photos of a fixed sequence.
  static func make(_ count: Int) -> [PhotoRecord] {
    var numbers = XorShift(seed: 777)
    return (0..<count).map { _ in PhotoRecord(from: &numbers) }
  }

  private init(from numbers: inout XorShift) {
    height = Int32(480 + numbers.next(below: 4000))
    width = Int32(640 + numbers.next(below: 4000))
    size = Int64(numbers.next(below: 9_000_000))
    likes = Int32(numbers.next(below: 1000))
    let seconds = Double(numbers.next(below: 600_000_000))
    date = Date(timeIntervalSinceReferenceDate: seconds + Double(numbers.next(below: 1000)) / 1000)
    latitude = Double(numbers.next(below: 180_000)) / 1000 - 90.0001
    longitude = Double(numbers.next(below: 360_000)) / 1000 - 180.0001
    let first = numbers.next().hexadecimal(digits: 8, uppercase: true)
    let second = numbers.next(below: 65_536).hexadecimal(digits: 4, uppercase: true)
    let third = numbers.next(below: 65_536).hexadecimal(digits: 4, uppercase: true)
    assetURL = "assets-library://asset/asset.JPG?id=\(first)-\(second)-\(third)&ext=JPG"
    country = Self.countries[numbers.next(below: 16)]
    let house = numbers.next(below: 500)
    locationDesc = "\(house) Main Street, District \(numbers.next(below: 40)), \(country)"
  }

  private static let countries = [
    "France", "Germany", "Italy", "Spain", "Portugal", "Netherlands", "Belgium", "Poland", "Norway", "Sweden",
    "Finland",
    "Greece", "Ireland", "Austria", "Denmark", "Japan",
  ]

  /// Sets these values in a photo.
  func fill(_ photo: Photo) {
    photo.assetURL = assetURL
    photo.country = country
    photo.date = date
    photo.height = height
    photo.latitude = latitude
    photo.likes = likes
    photo.locationDesc = locationDesc
    photo.longitude = longitude
    photo.size = size
    photo.width = width
  }
}

extension NSManagedObjectContext {
  /// Inserts photos and saves in batches; the context is empty afterwards.
  ///
  /// - Returns: The number of inserted photos.
  func insert(_ records: [PhotoRecord], inBatchesOf size: Int = 10_000) throws -> Int {
    try insert(records[...], inBatchesOf: size)
  }

  /// Inserts a slice of the photos, in the same way.
  func insert(_ records: ArraySlice<PhotoRecord>, inBatchesOf size: Int) throws -> Int {
    var left = records
    while !left.isEmpty {
      for record in left.prefix(size) { record.fill(Photo(context: self)) }
      try save()
      reset()
      left = left.dropFirst(size)
    }
    return records.count
  }
}

import ExampleSupport
import Foundation

/// The values of a photo, which are always the same for the same number.
struct PhotoValues: Sendable {
  let assetURL: String
  let country: String
  let date: Date
  let height: Int64
  let latitude: Double
  let likes: Int64
  let locationDescription: String
  let longitude: Double
  let size: Int64
  let width: Int64

  private static let countries = ["Brasil", "Česko", "España", "France", "Ísland", "日本", "Norge", "Türkiye"]

  init(number: Int) {
    var random = SeededGenerator(seed: number)
    assetURL = "assets-library://asset/\(String(random.next(), radix: 16)).jpg"
    country = Self.countries[Int.random(in: 0..<Self.countries.count, using: &random)]
    date = Date(timeIntervalSinceReferenceDate: Double(Int.random(in: 0..<600_000_000_000, using: &random)) / 1000)
    height = Int64.random(in: 480..<4480, using: &random)
    latitude = Double(Int.random(in: -90_000...90_000, using: &random)) / 1000
    likes = Int64.random(in: 0..<1000, using: &random)
    locationDescription = "near place \(Int.random(in: 0..<5000, using: &random)), \(country)"
    longitude = Double(Int.random(in: -180_000...180_000, using: &random)) / 1000
    size = Int64.random(in: 0..<9_000_000, using: &random)
    width = Int64.random(in: 640..<4640, using: &random)
  }
}

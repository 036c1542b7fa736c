import Foundation

extension SightingRecord {
  package static let shapes = [
    "changing", "chevron", "cigar", "circle", "cone", "cross", "cylinder", "delta", "diamond", "disk", "egg",
    "fireball",
    "flash", "formation", "light", "other", "oval", "rectangle", "sphere", "teardrop", "triangle",
  ]
  private static let prefixes = ["", "", "Côte", "El", "Fort", "Lake", "Mount", "New", "Port", "Saint", "San", "São"]
  // A syllable that begins a name occurs in no other place.
  private static let first = [
    "Brö", "Ça", "Dun", "Fal", "Gö", "Hó", "Jas", "Kel", "Má", "Øst", "Pé", "Råd", "Tor", "Vín", "Wy", "Zu",
  ]
  private static let second = ["la", "lë", "li", "na", "ne", "ño", "ra", "ri", "ro", "se", "si", "sü", "ta", "ve"]
  private static let third = ["", "bee", "by", "ford", "ga", "gen", "lund", "ñez", "rón", "ston", "vik", "wold"]

  /// Invents a sighting: the same number always gives the same sighting. The identifiers in a file are in no order.
  package init(number: Int) {
    var random = SeededGenerator(seed: number)
    func one(of words: [String], _ random: inout SeededGenerator) -> String {
      words[Int.random(in: 0..<words.count, using: &random)]
    }
    identifier = String(format: "ufo-%08x-%05d", UInt32(truncatingIfNeeded: random.next()), number)
    shape = one(of: Self.shapes, &random)
    let name = one(of: Self.first, &random) + one(of: Self.second, &random) + one(of: Self.third, &random)
    place = [one(of: Self.prefixes, &random), name].filter { !$0.isEmpty }.joined(separator: " ")
    date = Date(timeIntervalSinceReferenceDate: Double(Int.random(in: 0..<500_000_000, using: &random)))
    duration = Int64.random(in: 1...7200, using: &random)
  }
}

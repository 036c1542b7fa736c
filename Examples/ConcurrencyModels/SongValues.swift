import CoreData
import ExampleSupport

/// The values of a song, which are always the same for the same number.
struct SongValues: Sendable {
  let title: String
  let genre: String
  let seconds: Int64

  static let genres = [
    "Ambient", "Blues", "Bossa nova", "Chanson", "Classical", "Country", "Cumbia", "Dub", "Electronic", "Fado", "Folk",
    "Funk", "Gospel", "Hip-hop", "Jazz", "Klezmer", "Metal", "Punk", "Reggae", "Soul",
  ]
  /// The number of songs on a disc.
  static let songsOnDisc = 20

  init(number: Int) {
    var random = SeededGenerator(seed: number)
    title = "\(String(random.next(), radix: 36)) no. \(number)"
    genre = Self.genres[Int.random(in: 0..<Self.genres.count, using: &random)]
    seconds = Int64.random(in: 60..<600, using: &random)
  }

  /// Inserts songs, twenty on each new disc.
  ///
  /// - Parameter numbers: The numbers of the songs; the discs are numbered by their first song.
  static func insert(_ numbers: Range<Int>, into context: NSManagedObjectContext) {
    for first in stride(from: numbers.lowerBound, to: numbers.upperBound, by: songsOnDisc) {
      let disc = Disc(context: context)
      disc.title = "Disc \(first / songsOnDisc)"
      disc.year = Int64(1950 + first % 70)
      for number in first..<min(first + songsOnDisc, numbers.upperBound) {
        let values = SongValues(number: number)
        let song = Song(context: context)
        song.title = values.title
        song.genre = values.genre
        song.seconds = values.seconds
        song.disc = disc
      }
    }
  }
}

import CoreData
import Testing

@Suite struct SwiftPredicateFetchTests {
  private func fill(_ context: NSManagedObjectContext) throws {
    let trio = Band(context: context), duo = Band(context: context)
    (trio.name, trio.founded, duo.name, duo.founded) = ("Trio", 1971, "duo", 1999)
    for (number, title) in ["Blue", "blue moon", "Äther", "", "Red"].enumerated() {
      let album = Album(context: context)
      (album.title, album.year, album.copies, album.rating) = (title, Int16(1970 + number * 10), 0, Double(number) / 2)
      (album.isLive, album.band) = (number % 2 == 0, [trio, duo, nil][number % 3])
      album.subtitle = number == 1 ? "second" : nil
      album.tracks = Set(
        (0..<number).map { index in
          let track = Track(context: context)
          (track.name, track.length) = ("Track \(index)", Double(index * 100))
          return track
        })
    }
    try context.save()
  }

  @Test("A store selects by a predicate of Swift what the predicate holds for")
  func fetching() throws {
    let years = [1970, 1990] as [Int16]
    let predicates: [Predicate<Album>] = [
      #Predicate { $0.year > 1980 && $0.title.contains("e") },
      #Predicate { $0.isLive || !($0.rating >= 1) },
      #Predicate { years.contains($0.year) },
      #Predicate { (1980...1995).contains($0.year) },
      #Predicate { (0.5..<2).contains($0.rating) },
      #Predicate { $0.band?.name == "Trio" },
      #Predicate { $0.band == nil },
      #Predicate { $0.band?.name?.contains("u") ?? false },
      #Predicate { $0.band?.name?.contains("u") != true },
      #Predicate { ($0.subtitle ?? "none") == "none" },
      #Predicate { $0.title.starts(with: "bl") },
      #Predicate { $0.title.localizedStandardContains("BLUE") },
      #Predicate { $0.title.localizedStandardContains("at") },
      #Predicate { $0.title.count == 4 },
      #Predicate { $0.title.isEmpty },
      #Predicate { $0.tracks.isEmpty },
      #Predicate { $0.tracks.count > 2 },
      #Predicate { $0.tracks.contains { $0.length > 150 } },
      #Predicate { $0.tracks.allSatisfy { $0.length < 150 } },
      #Predicate { $0.tracks.filter { $0.name == "Track 1" }.count == 1 },
      #Predicate { album in album.tracks.contains { $0.length > album.rating * 100 } },
      #Predicate { ($0.isLive ? $0.rating : 9) > 1.5 },
      #Predicate { $0.year % 20 == 10 },
      #Predicate { _ in true },
    ]
    let coordinator = try MusicModel.coordinator()
    try coordinator.inContext { try fill($0) }
    try coordinator.inContext { context in
      let albums = try context.fetch(NSFetchRequest<Album>(entityName: "Album"))
      for predicate in predicates {
        let request = NSFetchRequest<Album>(entityName: "Album")
        let converted: NSPredicate = try #require(NSPredicate(predicate), "\(predicate)")
        request.predicate = converted
        request.sortDescriptors = [NSSortDescriptor(SortDescriptor(\Album.title, order: .reverse))]
        let expected = try albums.filter { try predicate.evaluate($0) }.sorted { $0.title > $1.title }
        #expect(albums.filter { converted.evaluate(with: $0) }.count == expected.count, "\(converted)")
        #expect(try context.fetch(request).map(\.title) == expected.map(\.title), "\(converted)")
      }
    }
  }
}

import CoreData
import Testing

@Suite struct TypedAccessTests {
  @Test func everyTypeComesBack() throws {
    let coordinator = try MusicModel.coordinator()
    let identifier = UUID(), link = URL(string: "https://example.org/x")
    func check(_ album: Album) {
      #expect(album.title == "Blue" && album.subtitle == nil && album.year == -3 && album.copies == 70_000)
      #expect(album.plays == 1 << 40 && album.count == 12 && album.rating == 0.1 && album.gain == 0.5 && album.isLive)
      #expect(album.released == Date(timeIntervalSinceReferenceDate: 77) && album.cover == Data([1, 2, 3]))
      #expect(album.identifier == identifier && album.link == link && album.genre == .jazz)
      #expect(album.price == NSDecimalNumber(string: "9.99") && album.boxed == 2.5)
      #expect(album.band?.name == "Trio" && album.tracks.map(\.name) == ["One"])
      let byKey: [(String, Any)] = [
        ("title", "Blue"), ("year", -3), ("copies", 70_000), ("plays", 1 << 40), ("count", 12), ("rating", 0.1),
        ("gain", 0.5), ("isLive", true), ("released", Date(timeIntervalSinceReferenceDate: 77)),
        ("cover", Data([1, 2, 3])), ("identifier", identifier), ("link", link as Any),
        ("price", NSDecimalNumber(string: "9.99")), ("boxed", 2.5), ("genre", 1), ("note", "no note"),
      ]
      for (key, value) in byKey { #expect(album.value(forKey: key) as? NSObject == value as? NSObject, "\(key)") }
      #expect(album.value(forKey: "subtitle") == nil && album.value(forKey: "band") as? Band === album.band)
    }
    try coordinator.inContext { context in
      let album = Album(context: context)
      (album.title, album.year, album.copies, album.plays, album.count) = ("Blue", -3, 70_000, 1 << 40, 12)
      (album.rating, album.gain, album.isLive) = (0.1, 0.5, true)
      album.released = Date(timeIntervalSinceReferenceDate: 77)
      (album.cover, album.identifier, album.link) = (Data([1, 2, 3]), identifier, link)
      (album.price, album.boxed, album.genre) = (NSDecimalNumber(string: "9.99"), 2.5, .jazz)
      album.band = Band(context: context)
      album.band?.name = "Trio"
      let track = Track(context: context)
      track.name = "One"
      album.tracks = [track]
      check(album)
      try context.save()
      check(album)
    }
    coordinator.emptyRowCache()
    try coordinator.inContext { context in
      let request: NSFetchRequest<Album> = NSFetchRequest(entityName: "Album")
      check(try #require(try context.fetch(request).first))
    }
  }

  @Test func nilThroughATypeWithoutNilIsZero() throws {
    let coordinator = try MusicModel.coordinator()
    func check(_ album: Album) {
      #expect(album.title == "" && album.year == 0 && album.copies == 0 && album.plays == 0 && album.count == 0)
      #expect(album.rating == 0 && album.gain == 0 && !album.isLive && album.genre == .rock && album.tracks.isEmpty)
      #expect(album.released == nil && album.price == nil && album.boxed == nil && album.band == nil)
      #expect(album.value(forKey: "year") == nil && album.value(forKey: "title") == nil)
    }
    try coordinator.inContext { context in
      check(Album(context: context))
      try context.save()
    }
    try coordinator.inContext { context in check(try context.fetch(NSFetchRequest<Album>(entityName: "Album"))[0]) }
  }

  @Test func accessorsAfterFaultsAndChanges() throws {
    let coordinator = try MusicModel.coordinator()
    try coordinator.inContext { context in
      let album = Album(context: context)
      (album.title, album.year, album.rating) = ("A", 1, 1)
      try context.save()
      context.refresh(album, mergeChanges: false)
      #expect(album.isFault && album.year == 1 && !album.isFault)
      album.year = 2
      #expect(album.year == 2 && album.title == "A" && album.rating == 1 && album.value(forKey: "year") as? Int == 2)
      album.setValue("B", forKey: "title")
      #expect(album.title == "B" && album.changedValues().count == 2)
      context.rollback()
      #expect(album.year == 1 && album.title == "A")
    }
  }

  @Test func transientAttributes() throws {
    let coordinator = try MusicModel.coordinator()
    try coordinator.inContext { context in
      let album = Album(context: context)
      #expect(album.note == "no note")
      album.note = "mine"
      try context.save()
      #expect(album.note == "mine")
    }
    try coordinator.inContext { context in
      let album = try context.fetch(NSFetchRequest<Album>(entityName: "Album"))[0]
      #expect(album.note == "no note")
      album.year = 5
      #expect(album.note == "no note")
      album.note = nil
      #expect(album.note == nil)
    }
  }

  @Test func customAccessorsOverPrimitiveValues() throws {
    try MusicModel.coordinator().inContext { context in
      let album = Album(context: context)
      album.title = "Blue"
      try context.save()
      #expect(album.loudTitle == "BLUE" && !album.hasChanges)
      album.loudTitle = "GREEN"
      #expect(album.title == "green" && album.isUpdated && album.changedValues().keys.sorted() == ["title"])
      try context.save()
      context.refresh(album, mergeChanges: false)
      #expect(album.title == "green")
    }
  }

  @Test func relationshipsAsNSSet() throws {
    try MusicModel.coordinator().inContext { context in
      let band = Band(context: context), albums = (0..<4).map { _ in Album(context: context) }
      #expect(band.albums?.count == 0)
      band.addToAlbums(albums[0])
      band.addToAlbums(NSSet(array: [albums[1], albums[2]]))
      #expect(band.albums?.count == 3 && albums[1].band === band)
      band.removeFromAlbums(albums[0])
      band.removeFromAlbums(NSSet(object: albums[1]))
      #expect(band.albums as? Set<Album> == [albums[2]] && albums[0].band == nil)
      band.albums = NSSet(object: albums[3])
      #expect(albums[2].band == nil && albums[3].band === band)
      band.albums = nil
      #expect(band.albums?.count == 0 && albums[3].band == nil)
      albums[0].band = band
      #expect(band.albums?.contains(albums[0]) == true && band.albums?.anyObject() as? Album === albums[0])
    }
  }

  @Test func relationshipsAsSet() throws {
    let coordinator = try MusicModel.coordinator()
    try coordinator.inContext { context in
      let album = Album(context: context), tracks = (0..<4).map { _ in Track(context: context) }
      for (number, track) in tracks.enumerated() { track.name = "T\(number)" }
      album.addToTracks(tracks[0])
      album.addToTracks([tracks[1], tracks[2]])
      album.removeFromTracks(tracks[0])
      #expect(album.tracks == [tracks[1], tracks[2]] && tracks[1].album === album && tracks[0].album == nil)
      album.tracks.insert(tracks[3])
      album.tracks.remove(tracks[1])
      #expect(tracks[3].album === album && tracks[1].album == nil)
      album.removeFromTracks([tracks[2]])
      #expect(album.tracks == [tracks[3]] && (album.value(forKey: "tracks") as? NSSet)?.count == 1)
      try context.save()
    }
    try coordinator.inContext { context in
      let album = try context.fetch(NSFetchRequest<Album>(entityName: "Album"))[0]
      #expect(album.tracks.map(\.name) == ["T3"] && album.tracks.first?.album === album)
    }
  }

  @Test func classesAreFoundThroughTheModel() throws {
    let coordinator = try MusicModel.coordinator()
    try coordinator.inContext { context in
      let band = NSEntityDescription.insertNewObject(forEntityName: "Band", into: context)
      #expect(type(of: band) == Band.self)
      let live = LiveAlbum(context: context)
      (live.venue, live.title, live.band) = ("Hall", "Live", band as? Band)
      #expect(live.entity.name == "LiveAlbum")
      let demo = NSEntityDescription.insertNewObject(forEntityName: "Demo", into: context)
      #expect(demo is Album)
      try context.save()
    }
    try coordinator.inContext { context in
      let albums = try context.fetch(NSFetchRequest<Album>(entityName: "Album"))
      let live = try #require(albums.compactMap { $0 as? LiveAlbum }.first)
      #expect(albums.count == 2 && live.venue == "Hall" && live.title == "Live")
      let band = try #require(try context.fetch(Band.fetchRequest()).first)
      #expect(band.albums?.anyObject() as? LiveAlbum === live && live.band === band)
    }
  }

  @Test func severalCopiesOfTheModel() throws {
    let first = try MusicModel.coordinator(), second = try MusicModel.coordinator(),
      third = try MusicModel.coordinator()
    for (number, coordinator) in [second, first, third].enumerated() {
      try coordinator.inContext { context in
        let band = Band(context: context)
        band.name = "Band \(number)"
        #expect(band.entity.managedObjectModel === coordinator.managedObjectModel)
        try context.save()
        #expect(try context.fetch(Band.fetchRequest()).map(\.name) == ["Band \(number)"])
        let untyped: NSFetchRequest<any NSFetchRequestResult> = Album.fetchRequest()
        #expect(try context.count(for: untyped) == 0)
        #expect(untyped.entityName == "Album" && Album.entity().name == "Album")
      }
    }
  }

  @Test func typedObjectsOutliveTheirContext() throws {
    let coordinator = try MusicModel.coordinator()
    let kept = try coordinator.inContext { context in
      let album = Album(context: context)
      (album.title, album.year) = ("A", 3)
      album.addToTracks(Track(context: context))
      try context.save()
      return album
    }
    #expect(kept.managedObjectContext == nil && kept.title == "A" && kept.year == 3)
    kept.year = 4
    #expect(kept.year == 4)
  }

  private static func coordinator(bands className: String) throws -> NSPersistentStoreCoordinator {
    let model = MusicModel.make()
    model.entitiesByName["Band"]?.managedObjectClassName = className
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(type: .inMemory, at: URL(fileURLWithPath: "/dev/null"))
    return coordinator
  }

  @Test func mutableSetsAndDecimalNumbersOverIntegers() throws {
    try Self.coordinator(bands: "OldBand").inContext { context in
      let band = OldBand(context: context), album = Album(context: context)
      band.founded = 1969
      #expect(band.founded == NSDecimalNumber(value: 1969) && band.founded.adding(1) == 1970)
      let albums = band.albums
      albums.add(album)
      #expect(album.value(forKey: "band") as? OldBand === band && albums.count == 1)
      band.albums = NSMutableSet()
      #expect(album.value(forKey: "band") == nil && albums.count == 0)
      try context.save()
    }
  }

  @Test func aValueThatCannotBeConvertedIsNotSaidToBeMissing() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try Self.coordinator(bands: "WrongBand").inContext { context in
        let band = WrongBand(context: context)
        band.setValue(1969, forKey: "founded")
        _ = band.founded
      }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("has a value of class") && text.contains("declares it as NSDate"), "\(text)")
  }
}

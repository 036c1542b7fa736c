import CoreData
import Foundation
import Testing

/// The forms that typed predicates have in published code, each asked of random objects in a store, in memory and of Swift.
@Suite struct TypedFormTests {
  static let someDate = Date(timeIntervalSinceReferenceDate: 1_000)
  static let someIdentifier = UUID(uuidString: "00000000-0000-0000-0000-000000000003") ?? UUID()
  static let texts = ["", "a", "Blue", "blue moon", "a10", "a2", "Äther", "ather", "née", "x y"]

  /// Objects with values that the forms tell apart: nil, empty texts, negative numbers, no member and several.
  static func fill(_ context: NSManagedObjectContext, _ count: Int, _ random: inout SeededGenerator) throws {
    let bands = (0..<4).map { number in
      let band = Band(context: context)
      band.name = number == 0 ? nil : texts[number * 2]
      band.founded = Int16(1960 + number * 10)
      return band
    }
    for _ in 0..<count {
      let album = Int.random(in: 0..<4, using: &random) == 0 ? LiveAlbum(context: context) : Album(context: context)
      album.title = texts.randomElement(using: &random) ?? ""
      album.subtitle = Bool.random(using: &random) ? texts.randomElement(using: &random) : nil
      album.year = Int16.random(in: -3...6, using: &random)
      album.copies = Int32.random(in: 0...5, using: &random)
      album.plays = Int64.random(in: -10...10, using: &random)
      album.count = Int.random(in: 0...3, using: &random)
      album.rating = Double(Int.random(in: -4...8, using: &random)) / 2
      album.gain = Float(Int.random(in: 0...4, using: &random)) / 4
      album.isLive = Bool.random(using: &random)
      album.released =
        Bool.random(using: &random) ? someDate.addingTimeInterval(.random(in: -3...3, using: &random)) : nil
      if Int.random(in: 0..<5, using: &random) == 0 { album.released = someDate }
      album.identifier = Bool.random(using: &random) ? someIdentifier : nil
      album.genre = Bool.random(using: &random) ? .jazz : .rock
      album.band = bands.randomElement(using: &random)
      if Int.random(in: 0..<5, using: &random) == 0 { album.band = nil }
      album.tracks = Set(
        (0..<Int.random(in: 0..<4, using: &random)).map { index in
          let track = Track(context: context)
          track.name = Bool.random(using: &random) ? texts.randomElement(using: &random) : nil
          track.length = Double(Int.random(in: 0...3, using: &random) * 100 + index)
          return track
        })
    }
    try context.save()
  }

  static let forms: [(form: String, predicate: Predicate<Album>)] =
    equality + logic + paths + order + nils + words + collections + arithmetic + choices

  private static let equality: [(String, Predicate<Album>)] = {
    let (title, year, date, identifier, genre) = (
      "Blue", Int16(3), someDate, someIdentifier as UUID?, Genre.jazz.rawValue
    )
    return [
      ("a text", #Predicate { $0.title == "Blue" }), ("a captured text", #Predicate { $0.title == title }),
      ("not a text", #Predicate { $0.title != title }), ("a number", #Predicate { $0.year == 3 }),
      ("a captured number", #Predicate { $0.year == year }), ("a number on the left", #Predicate { 3 == $0.year }),
      ("Int32", #Predicate { $0.copies == 2 }), ("Int64", #Predicate { $0.plays != -1 }),
      ("Int", #Predicate { $0.count == 0 }),
      ("Double", #Predicate { $0.rating == 0.5 }), ("Float", #Predicate { $0.gain == 0.25 }),
      ("a date", #Predicate { $0.released == date }), ("a UUID", #Predicate { $0.identifier == identifier }),
      ("raw value", #Predicate { $0.genre.rawValue == genre }),
      ("two properties", #Predicate { $0.rating == $0.rating }),
      ("an optional text", #Predicate { $0.subtitle == "a" }),
      ("not an optional text", #Predicate { $0.subtitle != "a" }),
      ("an optional and a text", #Predicate { ($0.subtitle ?? "z") == $0.title }),
    ]
  }()

  private static let logic: [(String, Predicate<Album>)] = [
    ("and", #Predicate { $0.year > 1 && $0.title == "a" }), ("or", #Predicate { $0.year > 1 || $0.title == "a" }),
    ("not", #Predicate { !($0.year > 1) }), ("a Boolean", #Predicate { $0.isLive }),
    ("not a Boolean", #Predicate { !$0.isLive }),
    ("== true", #Predicate { $0.isLive == true }), ("== false", #Predicate { $0.isLive == false }),
    ("a condition == true", #Predicate { ($0.year > 1) == true }),
    ("a condition == false", #Predicate { ($0.year > 1) == false }),
    ("a condition != true", #Predicate { ($0.year > 1) != true }), ("true", #Predicate { _ in true }),
    ("false", #Predicate { _ in false }), ("two conditions", #Predicate { ($0.year > 1) == ($0.rating > 1) }),
    ("not and", #Predicate { !($0.isLive && $0.year > 1) }), ("not or", #Predicate { !($0.isLive || $0.year > 1) }),
  ]

  private static let paths: [(String, Predicate<Album>)] = [
    ("through an optional to-one", #Predicate { $0.band?.name == "Blue" }),
    ("not equal through it", #Predicate { $0.band?.name != "Blue" }),
    ("a number through it", #Predicate { $0.band?.founded == 1970 }),
    ("a to-one that is nil", #Predicate { $0.band == nil }), ("one that is not", #Predicate { $0.band != nil }),
    ("unwrapped", #Predicate { $0.band != nil && $0.band!.founded > 1965 }),
    ("?? of a path", #Predicate { ($0.band?.founded ?? 0) > 1965 }),
    ("if let", #Predicate { if let band = $0.band { return band.founded > 1975 } else { return false } }),
    ("if let, else true", #Predicate { if let band = $0.band { return band.founded > 1975 } else { return true } }),
    ("flatMap", #Predicate { $0.band.flatMap { $0.name } == "Blue" }),
    ("a method through a path", #Predicate { $0.band?.name?.contains("u") ?? false }),
    ("a method through a path == true", #Predicate { $0.band?.name?.contains("u") == true }),
    ("a method through a path != true", #Predicate { $0.band?.name?.contains("u") != true }),
  ]

  private static let order: [(String, Predicate<Album>)] = {
    let (date, from, upTo) = (someDate, Int16(2)..., ..<Int16(2))
    return [
      ("<", #Predicate { $0.year < 2 }), ("<=", #Predicate { $0.year <= 2 }), (">", #Predicate { $0.rating > 1.5 }),
      (">=", #Predicate { $0.rating >= 1.5 }), ("a closed range", #Predicate { (0...2).contains($0.year) }),
      ("a half-open range", #Predicate { (0..<2.5).contains($0.rating) }),
      ("a range from", #Predicate { from.contains($0.year) }),
      ("a range up to", #Predicate { upTo.contains($0.year) }),
      ("a date", #Predicate { $0.released != nil && $0.released! > date }),
      ("a date or the past", #Predicate { ($0.released ?? date) > date }), ("a text", #Predicate { $0.title < "b" }),
      ("between two", #Predicate { $0.year > 0 && $0.year < 4 }),
    ]
  }()

  private static let nils: [(String, Predicate<Album>)] = [
    ("nil", #Predicate { $0.subtitle == nil }), ("not nil", #Predicate { $0.subtitle != nil }),
    ("??", #Predicate { ($0.subtitle ?? "a") == "a" }),
    ("unwrapped after a test", #Predicate { $0.subtitle != nil && $0.subtitle! == "a" }),
    ("a count of an optional", #Predicate { $0.subtitle?.count == 1 }),
    ("isEmpty == true", #Predicate { $0.subtitle?.isEmpty == true }),
    ("isEmpty ?? true", #Predicate { $0.subtitle?.isEmpty ?? true }),
    ("isEmpty == false", #Predicate { $0.subtitle?.isEmpty == false }),
    ("if let a text", #Predicate { if let text = $0.subtitle { return text.contains("l") } else { return false } }),
    ("a date that is nil", #Predicate { $0.released == nil }),
  ]

  private static let words: [(String, Predicate<Album>)] = {
    let (word, same) = ("lu", ComparisonResult.orderedSame)
    return [
      ("contains", #Predicate { $0.title.contains("lu") }),
      ("contains a captured text", #Predicate { $0.title.contains(word) }),
      ("starts", #Predicate { $0.title.starts(with: "a") }), ("count", #Predicate { $0.title.count == 2 }),
      ("isEmpty", #Predicate { $0.title.isEmpty }), ("!isEmpty", #Predicate { !$0.title.isEmpty }),
      ("localizedStandardContains", #Predicate { $0.title.localizedStandardContains("BLUE") }),
      ("localizedStandardContains with an accent", #Predicate { $0.title.localizedStandardContains("ath") }),
      ("localizedStandardContains of an optional", #Predicate { $0.subtitle?.localizedStandardContains("A") == true }),
      (
        "several by or",
        #Predicate { $0.title.localizedStandardContains("x") || $0.subtitle?.localizedStandardContains("x") ?? false }
      ),
      ("caseInsensitiveCompare", #Predicate { $0.title.caseInsensitiveCompare("BLUE") == same }),
      ("contains nothing", #Predicate { $0.title.contains("") }),
      ("contains another property", #Predicate { $0.title.contains($0.subtitle ?? "z") }),
    ]
  }()

  private static let collections: [(String, Predicate<Album>)] = {
    let (years, names, optionals) = ([1, 3] as [Int16], ["a", "Blue"] as Set, ["a", nil] as [String?])
    return [
      ("a captured array", #Predicate { years.contains($0.year) }),
      ("a captured set", #Predicate { names.contains($0.title) }),
      ("not in an array", #Predicate { !years.contains($0.year) }),
      ("an array with nil", #Predicate { optionals.contains($0.subtitle) }),
      ("isEmpty of a to-many", #Predicate { $0.tracks.isEmpty }),
      ("count of a to-many", #Predicate { $0.tracks.count > 1 }),
      ("contains where", #Predicate { $0.tracks.contains { $0.length > 150 } }),
      ("contains where, nil", #Predicate { $0.tracks.contains { $0.name == nil } }),
      ("not contains where", #Predicate { !$0.tracks.contains { $0.length > 150 } }),
      ("contains where == true", #Predicate { $0.tracks.contains { $0.length > 150 } == true }),
      ("allSatisfy", #Predicate { $0.tracks.allSatisfy { $0.length < 150 } }),
      ("filter and count", #Predicate { $0.tracks.filter { $0.length > 50 }.count == 1 }),
      ("a property of both", #Predicate { album in album.tracks.contains { $0.length > album.rating * 100 } }),
      ("through a to-one from members", #Predicate { $0.tracks.contains { $0.album?.title == "Blue" } }),
      ("and of two", #Predicate { $0.tracks.contains { $0.length > 150 } && $0.tracks.contains { $0.name == "a" } }),
    ]
  }()

  private static let arithmetic: [(String, Predicate<Album>)] = [
    ("+", #Predicate { $0.year + 1 == 3 }), ("-", #Predicate { $0.plays - 2 > 0 }),
    ("*", #Predicate { $0.rating * 2 == 3 }),
    ("/", #Predicate { $0.rating / 2 == 0.5 }), ("integer /", #Predicate { $0.plays / 2 == 1 }),
    ("%", #Predicate { $0.plays % 3 == 1 }),
    ("negative", #Predicate { -$0.plays == 3 }), ("two properties", #Predicate { $0.rating + $0.rating > 1 }),
    ("parentheses", #Predicate { ($0.plays + 1) * 2 > 4 }),
  ]

  private static let choices: [(String, Predicate<Album>)] = [
    ("ternary", #Predicate { ($0.isLive ? $0.rating : 9) > 1.5 }),
    ("ternary of conditions", #Predicate { $0.isLive ? $0.year > 1 : $0.year < 0 }),
    ("is", #Predicate { $0 is LiveAlbum }), ("not is", #Predicate { !($0 is LiveAlbum) }),
  ]

  @Test func eachFormAnswersAlike() throws {
    var random = SeededGenerator(for: "typed forms")
    let coordinator = try MusicModel.coordinator()
    try coordinator.inContext { try Self.fill($0, 1_000, &random) }
    #expect(Self.forms.count >= 80)
    try coordinator.inContext { context in
      let albums = try context.fetch(Album.self)
      var undecided: [String] = []
      for (form, predicate) in Self.forms {
        let converted = try NSPredicate(converting: predicate)
        let expected = Set(try albums.filter { try predicate.evaluate($0) })
        #expect(Set(albums.filter { converted.evaluate(with: $0) }) == expected, "\(form), in memory: \(converted)")
        #expect(Set(try context.fetch(Album.self, predicate)) == expected, "\(form): \(converted)")
        #expect(try context.count(Album.self, predicate) == expected.count, "\(form): \(converted)")
        if expected.isEmpty || expected.count == albums.count { undecided.append(form) }
      }
      // A form that holds for all objects, or for none, shows little.
      #expect(Set(undecided).isSubset(of: ["true", "false", "two properties", "contains nothing"]), "\(undecided)")
    }
  }

  /// An object is found by its ID, which a predicate can capture.
  @Test func identities() throws {
    let coordinator = try MusicModel.coordinator()
    var random = SeededGenerator(seed: 1)
    try coordinator.inContext { try Self.fill($0, 20, &random) }
    try coordinator.inContext { context in
      let albums = try context.fetch(Album.self)
      let id = albums[3].objectID, ids = albums[5...7].map(\.objectID)
      #expect(try context.fetch(Album.self, #Predicate { $0.objectID == id }) == [albums[3]])
      #expect(Set(try context.fetch(Album.self, #Predicate { ids.contains($0.objectID) })) == Set(albums[5...7]))
      let band = try #require(albums.compactMap(\.band).first)
      let bandID: NSManagedObjectID? = band.objectID
      #expect(
        Set(try context.fetch(Album.self, #Predicate { $0.band?.objectID == bandID }))
          == Set(albums.filter { $0.band === band }))
      #expect(Set(try context.fetchIDs(Album.self)) == Set(albums.map(\.objectID)))

      let data = try JSONEncoder().encode(ids)
      let decoder = JSONDecoder()
      #expect(throws: DecodingError.self) { try decoder.decode([NSManagedObjectID].self, from: data) }
      decoder.userInfo[.persistentStoreCoordinator] = coordinator
      #expect(try decoder.decode([NSManagedObjectID].self, from: data) == ids)
    }
  }

  @Test func columns() throws {
    let coordinator = try MusicModel.coordinator()
    var random = SeededGenerator(seed: 2)
    try coordinator.inContext { try Self.fill($0, 100, &random) }
    try coordinator.inContext { context in
      let albums = try context.fetch(Album.self)
      #expect(try context.fetch(Album.self, .count) == [100])
      let (sum, least, greatest, mean) = try #require(
        try context.fetch(Album.self, .sum(\.plays), .min(\.released), .max(\.year), .average(\.rating)).first)
      #expect(sum == albums.map(\.plays).reduce(0, +))
      #expect(least == albums.compactMap(\.released).min())
      #expect(greatest == albums.map(\.year).max())
      #expect(abs((mean ?? 0) - albums.map(\.rating).reduce(0, +) / 100) < 1e-9)
      let groups = try context.fetch(Album.self, .value(\.subtitle), .count, where: #Predicate { $0.year > 0 })
      let expected = Dictionary(grouping: albums.filter { $0.year > 0 }, by: \.subtitle).mapValues(\.count)
      #expect(Dictionary(groups, uniquingKeysWith: +) == expected)
      let none = try context.fetch(Album.self, .sum(\.plays), where: #Predicate { _ in false })
      #expect(none.count == 1 && none.first == 0)
    }
  }
}

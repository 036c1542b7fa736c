import Foundation

extension TestProgram {
  static let all = [tune, photos, blobs, saves, contexts, sightings, search]

  static func named(_ id: String?) throws -> TestProgram {
    guard let program = all.first(where: { $0.id == id }) else {
      throw StudioError.notFound(
        "There is no test program “\(id ?? "")”. There are \(all.map(\.id).joined(separator: ", ")).")
    }
    return program
  }

  static let tune = TestProgram(
    id: "tune", title: "The ten tests of PerformanceTuning",
    summary:
      "People, selfies and social networks, every selfie related to all of both; ten ways of reading and changing them.",
    executable: "tune",
    options: [
      TestOption(
        name: "test", title: "Tests", help: "None chosen: all ten.",
        kind: .choices([
          ("FetchAll", "fetches every object of the three entities"),
          ("DidFault", "one object turns from a fault into a full object and back"),
          ("SingleFault", "reads everything one fault at a time"),
          ("BatchFault", "fetches what will be read as full objects first"),
          ("Prefetch", "asks for both relationships in advance"),
          ("Cache", "reads everything with nothing in memory, then with everything"),
          ("Uniquing", "every selfie has the same people, not equal ones"),
          ("Predicate", "a slow and a quick condition, in both orders"),
          ("Subquery", "people on certain selfies, by hand and by a subquery"),
          ("BatchUpdate", "changes all at once, and back"),
        ])),
      TestOption(name: "people", title: "People", kind: .number(1...1000, byDefault: 500)),
      TestOption(name: "selfies", title: "Selfies", kind: .number(1...1000, byDefault: 500)),
      TestOption(name: "networks", title: "Social networks", kind: .number(1...1000, byDefault: 500)),
      TestOption(
        name: "fault-batch", title: "Rows for a fault",
        help: "How many objects are read when one fires as a fault: 1 reads each by itself, as Apple's framework does. "
          + "Empty: the framework decides.",
        kind: .number(1...10_000, byDefault: nil)),
    ],
    loadsBefore: true, series: RunReports.tune)

  static let photos = TestProgram(
    id: "photos", title: "Photos in three designs",
    summary:
      "Inserts photos and lists them, with the model in one entity, split, and with copies; without and with indexes.",
    executable: "Photos",
    options: [
      TestOption(
        name: "design", title: "Designs", help: "None chosen: all three.",
        kind: .choices([
          ("single", "one entity with everything"), ("split", "metadata in an entity of its own"),
          ("copying", "split, with copies of likes and date"),
        ])),
      TestOption(
        name: "indexes", title: "Indexes", help: "None chosen: all three.",
        kind: .choices([
          ("none", "no index"), ("single", "one by likes, one by date"), ("compound", "by likes and date together"),
        ])),
      TestOption(name: "count", title: "Photos", kind: .number(1...200_000, byDefault: 10_000)),
      TestOption(
        name: "rounds", title: "Rounds", help: "How often each request runs; the median counts.",
        kind: .number(1...15, byDefault: 3)),
    ],
    loadsBefore: false, series: RunReports.photos)

  static let saves = TestProgram(
    id: "saves", title: "Saves beside a reader",
    summary: "One context saves objects one by one, another shows meanwhile how far it is.",
    executable: "MultiThread",
    options: [TestOption(name: "count", title: "Saves", kind: .number(1...200_000, byDefault: 10_000))],
    loadsBefore: false, series: RunReports.saves)

  static let sightings = TestProgram(
    id: "sightings", title: "The sightings' import",
    summary: "Imports sightings from JSON in two ways, counts them in four, searches them in four, and ships a store.",
    executable: "UFOSightings",
    options: [
      TestOption(name: "count", title: "Sightings", kind: .number(1...200_000, byDefault: 60_000)),
      TestOption(
        name: "search", title: "Search for", help: "The beginning of a word in the places' names.",
        kind: .word(byDefault: "mala")),
    ],
    loadsBefore: false, series: RunReports.sightings)
}

/// A suggested run, which one click starts.
struct TestSuggestion: Sendable {
  let title: String
  let program: TestProgram
  let values: [(name: String, value: String)]
  let isRecorded: Bool

  static let all = [
    TestSuggestion(
      title: "SingleFault, one row at a time, recorded", program: .tune,
      values: [("test", "SingleFault"), ("fault-batch", "1")], isRecorded: true),
    TestSuggestion(
      title: "The same read with prefetching, recorded", program: .tune, values: [("test", "Prefetch")],
      isRecorded: true),
    TestSuggestion(
      title: "Photos without an index", program: .photos, values: [("design", "single"), ("indexes", "none")],
      isRecorded: false),
    TestSuggestion(
      title: "An import beside a list: merging, and a child context", program: .contexts,
      values: [
        ("only", "arrangements"), ("arrangement", "merging"), ("arrangement", "child"), ("arrangement", "levels"),
        ("count", "10000"),
      ], isRecorded: false),
    TestSuggestion(
      title: "Photos with an index", program: .photos, values: [("design", "single"), ("indexes", "compound")],
      isRecorded: false),
  ]
}

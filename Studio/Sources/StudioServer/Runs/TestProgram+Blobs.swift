import Foundation

extension TestProgram {
  static let blobs = TestProgram(
    id: "blobs", title: "Pictures in four places",
    summary:
      "Keeps pictures in their row, in external storage, in an entity of their own and in files; lists, changes, copies and "
      + "deletes them.",
    executable: "Blobs",
    options: [
      TestOption(
        name: "design", title: "Places", help: "None chosen: all four.",
        kind: .choices([
          ("inline", "in the picture's row"), ("external", "an attribute that allows external storage"),
          ("entity", "an entity of its own, behind a to-one relationship"), ("files", "files of the program's own"),
        ])),
      TestOption(
        name: "count", title: "Pictures", help: "A picture has 460 kB on average.",
        kind: .number(20...5000, byDefault: 300)),
      TestOption(
        name: "largest", title: "Largest picture, in bytes", kind: .number(1000...20_000_000, byDefault: 5_000_000)),
    ],
    loadsBefore: false, series: RunReports.blobs)
}

extension RunReports {
  private struct BlobsReport: Decodable {
    struct Step: Decodable {
      var work: String
      var cost: Cost
      var size: Size
    }

    struct Size: Decodable {
      var store: Int
      var log: Int
      var beside: Int
      var files: Int

      var text: String {
        let megabytes = String(format: "%.1f MB", Double(store + log + beside) / 1_000_000)
        return files == 0 ? megabytes : "\(megabytes), \(files) files"
      }
    }

    struct Variant: Decodable {
      var design: String
      var steps: [Step]
    }

    var variants: [Variant]
  }

  private static let blobWorks = [
    "insert": "save all", "titles": "list: all objects", "titlesInBatches": "list: in batches of 20",
    "titlesAlone": "list: titles alone", "thumbnails": "list with thumbnails", "open": "open 20 pictures",
    "rename": "20 titles, a save each", "backUp": "backup", "copy": "replacePersistentStore", "delete": "delete half",
  ]

  private static let blobPlaces = [
    "inline": "in the row", "external": "external storage", "entity": "own entity", "files": "files beside",
  ]

  /// A series for each place, with the size on disk after each piece of work.
  @Sendable static func blobs(_ json: Data) throws -> [RunRecord.Series] {
    try decoded(BlobsReport.self, json).variants.map { variant in
      .init(
        title: blobPlaces[variant.design] ?? variant.design,
        measures: variant.steps.map { $0.cost.measure(blobWorks[$0.work] ?? $0.work, $0.size.text) })
    }
  }
}

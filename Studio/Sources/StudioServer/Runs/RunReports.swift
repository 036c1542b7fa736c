import Foundation

/// Converts the JSON of the test programs to measures.
enum RunReports {
  static func decoded<Report: Decodable>(_ type: Report.Type, _ json: Data) throws -> Report {
    do { return try JSONDecoder().decode(type, from: json) } catch {
      throw StudioError(
        .internalServerError, "The program's report cannot be read",
        "Expected the JSON of \(type); \(ErrorText.text(of: error)) The programs may be of another state than the studio: "
          + "build both anew.")
    }
  }

  // MARK: tune

  private struct TuneReport: Decodable {
    struct Test: Decodable {
      var name: String
      var elapsed: Double
      var statements: Int
      var rows: Int
      var faults: Int
      var cacheHits: Int
      var memory: Memory
      var result: String
    }

    struct Memory: Decodable {
      var objects: Int
      var peakResidentBytes: Int
    }

    var tests: [Test]
  }

  @Sendable static func tune(_ json: Data) throws -> [RunRecord.Series] {
    let report = try decoded(TuneReport.self, json)
    return [
      .init(
        title: "Tests",
        measures: report.tests.map {
          .init(
            name: $0.name, seconds: $0.elapsed, statements: $0.statements, rows: $0.rows, faults: $0.faults,
            cacheHits: $0.cacheHits, objects: $0.memory.objects, bytes: $0.memory.peakResidentBytes, result: $0.result)
        })
    ]
  }

  // MARK: Photos

  struct Cost: Decodable {
    var elapsed: Double
    var statements: Int
    var rows: Int
    /// The peak memory in MB of 1,048,576 bytes.
    var peakMemory: Double

    func measure(_ name: String, _ result: String? = nil) -> RunRecord.Measure {
      .init(
        name: name, seconds: elapsed, statements: statements, rows: rows, bytes: Int(peakMemory * 1_048_576),
        result: result)
    }
  }

  private struct PhotosReport: Decodable {
    struct Step: Decodable {
      var work: String
      var cost: Cost
      var photos: Int
      var statements: [Statement]
    }

    struct Statement: Decodable {
      var indexes: [String]
      var missing: String?
    }

    struct Variant: Decodable {
      var design: String
      var indexing: String
      var steps: [Step]
    }

    var variants: [Variant]
  }

  private static let photoWorks = [
    "insert": "insert", "fetchByDate": "fetch by date", "controller": "controller by likes, date",
    "controllerInBatches": "the same, in batches of 30", "arrayInBatches": "the same, by fetchedObjects[i]",
  ]

  @Sendable static func photos(_ json: Data) throws -> [RunRecord.Series] {
    try decoded(PhotosReport.self, json).variants.map { variant in
      .init(
        title: "\(variant.design), \(variant.indexing == "none" ? "no index" : "\(variant.indexing) indexes")",
        measures: variant.steps.map { step in
          let missing = Set(step.statements.compactMap(\.missing)).sorted().joined(separator: "; ")
          return step.cost.measure(photoWorks[step.work] ?? step.work, missing.isEmpty ? nil : missing)
        })
    }
  }

  // MARK: MultiThread

  private struct SavesReport: Decodable {
    struct Opening: Decodable { var elapsed: Double }
    struct Writing: Decodable {
      var saves: Int
      var elapsed: Double
    }
    struct Reading: Decodable {
      var reads: Int
      var longest: Double
    }
    var opening: Opening
    var writing: Writing
    var reading: Reading
  }

  @Sendable static func saves(_ json: Data) throws -> [RunRecord.Series] {
    let report = try decoded(SavesReport.self, json)
    return [
      .init(
        title: "Saves",
        measures: [
          .init(name: "open the store", seconds: report.opening.elapsed),
          .init(name: "all saves", seconds: report.writing.elapsed, result: "\(report.writing.saves) saves"),
          .init(name: "longest read", seconds: report.reading.longest, result: "\(report.reading.reads) reads"),
        ])
    ]
  }

  // MARK: UFOSightings

  private struct SightingsReport: Decodable {
    struct Import: Decodable {
      var how: String
      var isAgain: Bool
      var cost: Cost
    }
    struct Counting: Decodable {
      var how: String
      var cost: Cost
    }
    struct Search: Decodable {
      var how: String
      var found: Int
      var cost: Cost
    }
    struct Indexing: Decodable {
      var tokens: Int
      var cost: Cost
    }
    struct Seed: Decodable {
      var isCopied: Bool
      var launch: Cost
    }
    var imports: [Import]
    var shapes: [Counting]
    var indexing: Indexing?
    var searches: [Search]
    var seeds: [Seed]
  }

  @Sendable static func sightings(_ json: Data) throws -> [RunRecord.Series] {
    let report = try decoded(SightingsReport.self, json)
    var measures = report.imports.map { $0.cost.measure("import, \($0.how)\($0.isAgain ? ", again" : "")") }
    measures += report.shapes.map { $0.cost.measure("count, \($0.how)") }
    if let indexing = report.indexing {
      measures.append(indexing.cost.measure("index words", "\(indexing.tokens) words"))
    }
    measures += report.searches.map { $0.cost.measure("search, \($0.how)", "\($0.found) found") }
    measures += report.seeds.map { $0.launch.measure($0.isCopied ? "first launch" : "launch") }
    return [.init(title: "Sightings", measures: measures)]
  }
}

import CoreData
import Foundation
import Testing

@testable import WebClient
@testable import WebService

/// The program that runs over a file and over a service.
@Suite struct ProgramTests {
  @Test func bothStoresHaveTheSameAndTheWrongWayIsSeen() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "WebProgram-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let report = try await OwnService.run(at: folder.appending(path: "Service.sqlite")) { address in
      try await WebClientCommand.report([("file", folder.appending(path: "File.sqlite")), ("service", address)], 250)
    }
    let requests = Dictionary(
      uniqueKeysWithValues: report.steps.enumerated().map { ("\($0) \($1.name)", $1.costs[1].questions) })
    #expect(
      report.steps.map { $0.costs[1].questions } == [2, 1, 101, 2, 1, 21, 1, 1, 1, 3, 2, 3, 3],
      "\(requests)")
    #expect(report.steps[0].result == "1253 objects" && report.text.contains("requests"))
    #expect(try JSONDecoder().decode(Report.self, from: Data(report.json().utf8)) == report)
  }

  /// What the studio opens.
  @Test func aServicesObjectsAreCopiedIntoAFile() async throws {
    var limits = ServedStore.Limits()
    limits.told.pageSize = 10
    try await World.with(limits: limits) { world in
      try world.stack().fill(25)
      let file = world.file.deletingLastPathComponent().appending(path: "Copy.sqlite")
      let counts = try StoreCopy.make(of: world.relay.url, model: Model.books, at: file)
      #expect(counts.map { "\($0.entity) \($0.count)" } == ["Author 25", "Book 50", "Tag 0"])
      let books = try Stack(file).inContext { context in
        try context.all(Book.self, by: ["title"]).map { "\($0.title ?? "") \($0.author?.name ?? "")" }
      }
      #expect(books.count == 50 && books.first == "Book 0.0 Author 0")
      #expect(throws: (any Error).self) { try StoreCopy.make(of: world.relay.url, model: Model.books, at: file) }
    }
  }
}

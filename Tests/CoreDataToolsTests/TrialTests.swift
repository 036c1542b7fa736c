import CommandSupport
import CoreData
import CoreDataTools
import Foundation
import Testing

/// Indexes are tried, migrations are rehearsed, and recordings are read, without changing what is there.
struct TrialTests {
  @Test func anIndexIsTriedInACopy() throws {
    let shop = try Shop(persons: 2000, things: 0)
    let reader = try StoreReader(shop.store)
    let query = ObjectQuery(entity: "Person", predicate: "age == 7", columns: ["name"])
    let report = try reader.explain(query, countsRows: true)
    #expect(report.missing == ["age"])
    #expect([report.rows?.total, report.rows?.examined, report.rows?.found] == [2000, 2000, 1])
    let trial = try reader.tryIndex(["age"], entity: "Person", for: query)
    #expect(trial.isUsed)
    #expect(trial.before.indexes.isEmpty)
    #expect(trial.rows == 1)
    #expect(trial.sql.contains("ZAGE"))
    #expect(trial.indexBytes > 0 && trial.storeBytes > 0)
    #expect(!trial.before.times.isEmpty && !trial.after.times.isEmpty)
    // The store itself has none.
    #expect(try reader.explain(query, countsRows: false).missing == ["age"])
    #expect(throws: ToolError.self) { try reader.tryIndex(["nothing"], entity: "Person", for: query) }
    #expect(throws: CancellationError.self) {
      try reader.tryIndex(["age"], entity: "Person", for: query, isCancelled: { true })
    }
  }

  @Test func aDescendingIndexIsTried() throws {
    let shop = try Shop(persons: 500, things: 0)
    let reader = try StoreReader(shop.store)
    let query = ObjectQuery(
      entity: "Person", sort: [.init("isNew"), .init("age", ascending: false)], columns: ["name"], limit: 10)
    let missing = try #require(try reader.explain(query, countsRows: false).missing)
    #expect(missing == ["isNew", "age descending"])
    #expect(try reader.tryIndex(missing, entity: "Person", for: query).isUsed)
  }

  @Test func aMigrationIsPlannedRehearsedAndCarriedOut() throws {
    let shop = try Shop()
    let model = shop.folder.appending(path: "New.mom")
    try Shop.model(adding: "nick").write(compiledModelTo: model)
    let before = try shop.contents()
    let migration = try MigrationRehearsal(shop.store, to: MigrationWish(model: model))
    let plan = try migration.plan()
    #expect(plan.steps.count == 1 && !plan.hasProblems)
    #expect(plan.steps.first?.statements.isEmpty == false)
    let rehearsal = try migration.rehearse()
    #expect(rehearsal.steps.first?.verification?.isGood == true)
    #expect(throws: CancellationError.self) { try migration.rehearse(isCancelled: { true }) }
    #expect(throws: CancellationError.self) { try migration.run(isCancelled: { true }) }
    #expect(try shop.contents() == before)
    let report = try migration.run()
    #expect(!report.hasProblems && report.error == nil)
    #expect(FileManager.default.fileExists(atPath: try #require(report.backup)))
    #expect(try StoreReader(shop.store).valueColumns(of: "Person").contains("nick"))
    #expect(try MigrationRehearsal(shop.store, to: MigrationWish(model: model)).isUpToDate)
  }

  @Test func modelsAreSummedUpComparedAndDrawn() throws {
    let shop = try Shop()
    let file = shop.folder.appending(path: "New.mom")
    try Shop.model(adding: "nick").write(compiledModelTo: file)
    let new = try ModelFile(file).current, own = try ModelFile(shop.store).current
    #expect(new.form == .compiled && own.form == .store)
    #expect(own.summary.entities.map(\.name) == ["Note", "Person", "Thing", "Toy"])
    let difference = ModelFile.difference(from: own, to: new)
    #expect(difference.entities.first { $0.name == "Person" }?.properties.map(\.name) == ["nick"])
    #expect(difference.migration.isNeeded && difference.migration.isLightweight)
    let graph = ModelGraph.text(of: own.summary) { "/entity/\($0)" }
    #expect(graph.contains("URL=\"/entity/Person\""))
    #expect(!ModelGraph.text(of: own.summary).contains("URL"))
    #expect(try ModelFile.hashes(of: own).entities.count == 4)
    #expect(throws: ToolError.self) { try ModelFile(shop.folder.appending(path: "none.mom")) }
  }

  /// In a process of its own, since there is one recording at a time.
  @Test func aRecordingIsReadWhileItIsWritten() async {
    await #expect(processExitsWith: .success) {
      let shop = try Shop(stays: true)
      let file = shop.folder.appending(path: "recording.bin")
      try CoreDataInstruments.startRecording(to: file)
      try shop.write { Shop.make("Person", in: $0, ["name": "Recorded"]) }
      // What is there so far, perhaps nothing but the beginning.
      let early = try RecordingFile(file)
      #expect(!early.isFinished)
      CoreDataInstruments.stopRecording()
      let recording = try RecordingFile(file)
      #expect(recording.isFinished)
      #expect(recording.report().summary.groups.contains { $0.name == "saves" })
      let page = InstrumentsPage(recording)
      let (whole, part) = (try page.text(), try page.fragment())
      #expect(whole.contains("<!DOCTYPE html>") && !part.contains("<html"))
      let statements = try #require(part.range(of: "<section id=\"statements\">"))
      #expect(whole.contains(part[statements.lowerBound...].prefix(2000)))
      #expect(throws: ToolError.self) { try RecordingFile(shop.store) }
    }
  }
}

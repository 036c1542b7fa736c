import CoreData
import CoreDataTools
import Foundation
import Hummingbird
import Testing

@testable import StudioServer

/// Migrations: planned and rehearsed without a change of the store, carried out where writing is allowed.
@Suite struct MigratePageTests {
  private static let base = "/stores/People.sqlite/migrate"
  private static let second = "models/People.xcdatamodeld/People 2"
  private static let strict = "models/People.xcdatamodeld/Strict"

  private func visit(
    _ store: SampleStore, writes: Bool = false, _ body: @escaping @Sendable (Visitor) async throws -> Void
  ) async throws {
    var settings = StudioSettings.of(store.url, writes: writes)
    settings.models = [try SampleModel.people()]
    settings.temporaryFolder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "studio-t-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: settings.temporaryFolder, withIntermediateDirectories: true)
    try await Visitor.visit(settings, body)
    #expect(try FileManager.default.contentsOfDirectory(atPath: settings.temporaryFolder.path).isEmpty)
  }

  private static func plan(_ to: String) -> String { Link.query(base, [("to", to)]) }

  @Test func aPlanARehearsalAndACountChangeNothing() async throws {
    let store = try SampleStore(people: 40)
    let before = try store.contents()
    try await visit(store) { visitor in
      let start = try await visitor.get(Self.base)
      #expect(start.status == .ok && start.text.contains("<option value=\"\(Self.second)\""), "\(start.text)")
      let plan = try await visitor.get(Self.plan(Self.second))
      #expect(plan.status == .ok, "\(plan.text)")
      #expect(plan.text.contains("nickname") && plan.text.contains("ZNICKNAME"), "\(plan.text)")
      #expect(!plan.text.contains("Migrate the store…"))
      #expect(try store.contents() == before)
      let token = try visitor.token(of: plan)
      for (action, words) in [("count", "nothing stands in the way"), ("rehearse", "The rehearsal went well")] {
        let answer = try await visitor.post(Self.base + "/" + action, [("to", Self.second)], token: token)
        #expect(answer.status == .seeOther, "\(answer.text)")
        let result = try await visitor.result(of: answer)
        #expect(result.text.contains(words), "\(result.text)")
        #expect(result.text.contains("40"))
        #expect(try store.contents() == before, "\(action)")
      }
    }
    #expect(try store.contents() == before)
  }

  @Test func secretDefaultsAreInNoStatement() async throws {
    let store = try SampleStore(people: 4)
    try await visit(store) { visitor in
      let plan = try await visitor.get(Self.plan(Self.second))
      let token = try visitor.token(of: plan)
      var pages = [plan]
      for action in ["count", "rehearse"] {
        pages.append(
          try await visitor.result(of: visitor.post(Self.base + "/" + action, [("to", Self.second)], token: token)))
      }
      for page in pages {
        #expect(page.text.contains("ZPIN") && page.text.contains("&lt;secret&gt;"), "\(page.text)")
        for value in ["4711", "Hara", "918273", "secret of"] { #expect(!page.text.contains(value), "\(value)") }
      }
    }
  }

  @Test func withoutWriteNothingIsMigrated() async throws {
    let store = try SampleStore(people: 4)
    let before = try store.contents()
    try await visit(store) { visitor in
      let token = try visitor.token(of: try await visitor.get(Self.plan(Self.second)))
      let run = try await visitor.post(Self.base + "/run", [("to", Self.second)], token: token)
      #expect(run.status == .forbidden && run.text.contains("--write"))
      let confirm = try await visitor.get(Link.query(Self.base + "/confirm", [("to", Self.second)]))
      #expect(confirm.status == .forbidden)
      for action in ["count", "rehearse", "run"] {
        let answer = try await visitor.post(Self.base + "/" + action, [("to", Self.second)], token: nil)
        #expect(answer.status == .forbidden, "\(action)")
      }
    }
    #expect(try store.contents() == before)
  }

  @Test func withWriteTheStoreIsMigratedAndTheOldOneKept() async throws {
    let store = try SampleStore(people: 40)
    let before = try store.contents()
    try await visit(store, writes: true) { visitor in
      // Readers that know the old model are made.
      #expect(try await visitor.get("/stores/People.sqlite/entities/Person").status == .ok)
      let plan = try await visitor.get(Self.plan(Self.second))
      #expect(plan.text.contains("Migrate the store…"))
      let confirm = try await visitor.get(Link.query(Self.base + "/confirm", [("to", Self.second)]))
      #expect(confirm.status == .ok && confirm.text.contains("People-backup.sqlite"), "\(confirm.text)")
      #expect(try store.contents() == before)
      let answer = try await visitor.post(
        Self.base + "/run", [("to", Self.second)], token: visitor.token(of: confirm))
      let result = try await visitor.result(of: answer)
      #expect(
        result.text.contains("The store was migrated") && result.text.contains("People-backup.sqlite"), "\(result.text)"
      )
      let object = try await visitor.get("/stores/People.sqlite/objects/Person/p1")
      #expect(object.text.contains("nickname") && object.text.contains("nobody"), "\(object.text)")
      #expect(!object.text.contains("4711"))
      let again = try await visitor.get(Self.plan(Self.second))
      #expect(again.text.contains("nothing to do"), "\(again.text)")
    }
    // The old store is in the backup.
    let backup = store.folder.appendingPathComponent("People-backup.sqlite")
    try await Visitor.visit(.of(backup)) { visitor in
      let page = try await visitor.get("/stores/People-backup.sqlite/entities/Person")
      let isMigrated = page.text.contains("<strong id=\"total\">40</strong> objects") && !page.text.contains("nickname")
      #expect(isMigrated, "\(page.text)")
    }
  }

  @Test func aMigrationThatCannotBeIsToldAndLeavesTheStore() async throws {
    let store = try SampleStore(people: 4)
    let before = try store.contents()
    try await visit(store, writes: true) { visitor in
      let plan = try await visitor.get(Self.plan(Self.strict))
      #expect(plan.status == .ok || plan.status == .badRequest, "\(plan.text)")
      let token = try visitor.token(of: try await visitor.get(Self.plan(Self.second)))
      for action in ["rehearse", "run"] {
        let result = try await visitor.result(
          of: visitor.post(Self.base + "/" + action, [("to", Self.strict)], token: token))
        #expect(result.text.contains("class=\"failure\""), "\(action) \(result.text)")
        #expect(!result.text.contains("The store was migrated") && !result.text.contains("went well"))
      }
      let object = try await visitor.get("/stores/People.sqlite/objects/Person/p1")
      #expect(object.status == .ok && object.text.contains("Person 0"), "\(object.text)")
    }
    #expect(try store.contents()["People.sqlite"] == before["People.sqlite"])
  }

  @Test func aMigrationRunsBesideNoRehearsalOfTheSameStore() async throws {
    let store = try SampleStore(people: 4)
    var settings = StudioSettings.of(store.url, writes: true)
    settings.models = [try SampleModel.people()]
    let studio = try Studio(settings)
    let opened = try studio.stores.named("People.sqlite")
    let view = try MigrateView(to: Self.second, source: nil, mappings: nil)
    let url = settings.models[0].appendingPathComponent("People 2.xcdatamodel")
    let work = MigrateWork(
      studio: studio, store: opened, view: view, wish: MigrationWish(model: url), secrets: SecretTexts([]))
    for title in ["Rehearsing the migration of People.sqlite", "Migrating People.sqlite"] {
      let other = try studio.jobs.start(title, origin: "/", section: .migrate("People.sqlite")) { job in
        while !job.isStopped { try await Task.sleep(for: .milliseconds(5)) }
        throw CancellationError()
      }
      let error = await #expect(throws: StudioError.self) { try await work.start(.run) }
      #expect(error?.status == .conflict)
      if title.hasPrefix("Migrating") {
        await #expect(throws: StudioError.self) { try await work.start(.rehearse) }
      }
      other.stop()
      while other.outcome == nil { try await Task.sleep(for: .milliseconds(5)) }
    }
  }

  @Test func aMigrationHasTheStoreForItself() async throws {
    let store = try SampleStore(people: 4)
    let studio = try Studio(.of(store.url, writes: true))
    let opened = try studio.stores.named("People.sqlite")
    try await opened.beginMigration()
    let refused = await #expect(throws: StudioError.self) { try await opened.read { $0.model.entities.count } }
    #expect(refused?.status == .conflict)
    await #expect(throws: StudioError.self) { try await opened.readAtLength { $0.model.entities.count } }
    await #expect(throws: StudioError.self) { try await studio.writing.session(opened) }
    await #expect(throws: StudioError.self) { try await opened.beginMigration() }
    await opened.endMigration()
    #expect(try await opened.read { $0.model.entities.count } > 0)
    // Nor does it begin while somebody downloads the store.
    let (stream, continuation) = AsyncStream<Void>.makeStream()
    let download = Task {
      try await opened.readAtLength { _ in
        continuation.yield()
        while !Task.isCancelled { usleep(1000) }
      }
    }
    for await _ in stream { break }
    let busy = await #expect(throws: StudioError.self) { try await opened.beginMigration() }
    #expect(busy?.status == .conflict)
    download.cancel()
    _ = await download.result
    try await opened.beginMigration()
  }

  /// The changes would be lost, or saved with the old model.
  @Test func aMigrationDoesNotBeginWhileChangesAreUnsaved() async throws {
    let store = try SampleStore(people: 4)
    var settings = StudioSettings.of(store.url, writes: true)
    settings.models = [try SampleModel.people()]
    let studio = try Studio(settings)
    let opened = try studio.stores.named("People.sqlite")
    let session = try await studio.writing.session(opened)
    try await session.work { session in
      session.act("New") { _ = NSEntityDescription.insertNewObject(forEntityName: "Person", into: $0) }
    }
    let view = try MigrateView(to: Self.second, source: nil, mappings: nil)
    let url = settings.models[0].appendingPathComponent("People 2.xcdatamodel")
    let work = MigrateWork(
      studio: studio, store: opened, view: view, wish: MigrationWish(model: url), secrets: SecretTexts([]))
    let error = await #expect(throws: StudioError.self) { try await work.start(.run) }
    #expect(error?.title == "There are unsaved changes")
    // It is shown and changed as before.
    #expect(try await opened.read { $0.model.entities.count } > 0)
    #expect(try await studio.writing.session(opened) === session)
  }
}

import CoreData
import Foundation
import Testing

@testable import StudioServer

/// Programs that listen, with the tests' own process as the program.
@Suite(.serialized) struct RunningPageTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
    "studio-look-\(UUID().uuidString.prefix(8))")

  private func settings() -> StudioSettings {
    var settings = StudioSettings.of()
    settings.listening = folder
    return settings
  }

  private func context() throws -> NSManagedObjectContext {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: SampleStore.model())
    try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
    coordinator.name = "the shelf & co"
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    context.name = SampleStore.hostile
    context.performAndWait {
      let person = NSEntityDescription.insertNewObject(forEntityName: "Person", into: context)
      person.setValue("Ada <b>", forKey: "name")
      person.setValue("secret word", forKey: "password")
    }
    return context
  }

  @Test func aProgramIsListedShownAndAsked() async throws {
    let context = try context()
    try CoreDataInstruments.listen(in: folder)
    defer {
      CoreDataInstruments.stopListening()
      try? FileManager.default.removeItem(at: folder)
    }
    try await Visitor.visit(settings()) { visitor in
      let link = "/running/\(getpid())"
      #expect(try await visitor.get("/running").text.contains("href=\"\(link)\""))
      let page = try await visitor.get(link)
      #expect(page.status == .ok && page.text.contains("Coordinator the shelf &amp; co"), "\(page.text)")
      #expect(page.text.contains("1 inserted") && !page.text.contains("<script>alert"))
      #expect(page.text.firstMatch(of: /<script(?![^>]* src=)/) == nil)
      let part = try await visitor.get(link + "/content")
      #expect(part.text.contains("class=\"tree\"") && !part.text.contains("<html"))
      let contextLink = try #require(page.text.matches(of: /href="(\/running\/\d+\/contexts\/[^"]+)"/).map(\.1).first)
      var own = try await visitor.get(String(contextLink))
      // Other tests' contexts are in the tree, too.
      for match in page.text.matches(of: /href="(\/running\/\d+\/contexts\/[^"]+)"/) where !own.text.contains("Ada") {
        own = try await visitor.get(String(match.1))
      }
      #expect(own.text.contains("Ada &lt;b&gt;") && own.text.contains("Pending changes"), "\(own.text)")
      #expect(!own.text.contains("secret word"))
      let path = try #require(own.text.firstMatch(of: /action="([^"]+contexts[^"]+)"/)?.1)
      let asked = try await visitor.get("\(path)?predicate=\(Link.escaped("name BEGINSWITH 'A'"))&entity=Person")
      #expect(asked.text.contains("It holds for 1 of 1 pending object."), "\(asked.text)")
      let wrong = try await visitor.get("\(path)?predicate=\(Link.escaped("name =="))")
      #expect(wrong.status == .ok && wrong.text.contains("role=\"alert\""))
      for path in ["/running/1", "/running/..%2F..", link + "/contexts/0x1"] {
        #expect(try await visitor.get(path).status == .notFound, "\(path)")
      }
    }
    withExtendedLifetime(context) {}
  }

  @Test func aRecordingIsStartedAndOpened() async throws {
    try CoreDataInstruments.listen(in: folder)
    defer {
      CoreDataInstruments.stopListening()
      try? FileManager.default.removeItem(at: folder)
    }
    let settings = settings()
    try await Visitor.visit(settings) { visitor in
      let link = "/running/\(getpid())"
      let page = try await visitor.get(link)
      #expect(try await visitor.post(link + "/record", [], token: "guessed").status == .forbidden)
      #expect(try await visitor.post(link + "/record", [], token: nil).status == .forbidden)
      let token = try visitor.token(of: page)
      let started = try await visitor.post(link + "/record", [], token: token)
      // Another test of this process may be recording.
      guard started.status != .badGateway else { return }
      #expect(started.headers[.location] == link)
      #expect(try await visitor.get(link).text.contains("being recorded"))
      let stopped = try await visitor.post(link + "/stop", [], token: token)
      let recording = try #require(stopped.headers[.location])
      #expect(recording.hasPrefix("/recordings/") && recording.hasSuffix(".cdrec"), "\(recording)")
      #expect(try await visitor.get(recording).text.contains("until it was stopped"))
      #expect(try await visitor.get("/recordings").text.contains(recording))
    }
    try? FileManager.default.removeItem(at: settings.runs)
  }

  @Test func withoutAProgramThePageSaysHow() async throws {
    try await Visitor.visit(settings()) { visitor in
      let page = try await visitor.get("/running")
      #expect(page.status == .ok && page.text.contains("CoreDataInstruments.listen()"))
    }
  }
}

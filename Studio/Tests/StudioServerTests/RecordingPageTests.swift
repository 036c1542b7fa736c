import CoreData
import CoreDataTools
import Foundation
import Hummingbird
import Testing

@testable import StudioServer

/// Recordings: listed, shown, followed while they are written, and linked to the stores they are about.
@Suite(.serialized) struct RecordingPageTests {
  /// Fetches people by an attribute without an index, and one by one through a relationship, and records it.
  private func record(_ store: SampleStore, _ folder: URL, _ name: String = "people.cdrec") throws -> URL {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let url = folder.appendingPathComponent(name)
    try CoreDataInstruments.startRecording(to: url)
    defer { CoreDataInstruments.stopRecording() }
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: SampleStore.model())
    let opened = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: store.url,
      options: [NSPersistentHistoryTrackingKey: true as NSNumber])
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    try context.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
      request.predicate = NSPredicate(format: "age == %d AND name CONTAINS[cd] %@", 5, "secret word")
      request.sortDescriptors = [NSSortDescriptor(key: "age", ascending: false)]
      _ = try context.fetch(request)
    }
    try coordinator.remove(opened)
    return url
  }

  private func settings(_ store: SampleStore, _ folder: URL) -> StudioSettings {
    var settings = StudioSettings.of(store.url)
    settings.recordings = [folder]
    return settings
  }

  @Test func aRecordingInANamedFolderIsListedAndShown() async throws {
    let store = try SampleStore()
    let folder = store.folder.appendingPathComponent("recordings")
    _ = try record(store, folder)
    // What does not begin as a recording is none.
    try Data("nothing".utf8).write(to: folder.appendingPathComponent("other.cdrec"))
    try await Visitor.visit(settings(store, folder)) { visitor in
      let list = try await visitor.get("/recordings")
      #expect(list.text.contains("href=\"/recordings/people.cdrec\"") && !list.text.contains("other.cdrec"))
      #expect(list.text.contains("COREDATA_INSTRUMENTS=\(folder.path)/%p.cdrec"))
      let page = try await visitor.get("/recordings/people.cdrec")
      #expect(page.status == .ok)
      for section in ["findings", "timeline", "tree", "statements", "slowest"] {
        #expect(page.text.contains("<section id=\"\(section)\">"), "\(section)")
      }
      #expect(page.text.contains("<svg"))
      #expect(page.text.firstMatch(of: /<script(?![^>]* src=)/) == nil)
      #expect(!page.text.contains("secret word"))
      // Ended: nothing is followed.
      #expect(!page.text.contains("data-live-events"))
      for path in ["/recordings/other.cdrec", "/recordings/..%2FPeople.sqlite", "/recordings/%2Fetc%2Fpasswd"] {
        #expect(try await visitor.get(path).status == .notFound, "\(path)")
      }
    }
  }

  @Test func aFindingLeadsToItsEntityPredicateAndExplanation() async throws {
    let store = try SampleStore()
    let folder = store.folder.appendingPathComponent("recordings")
    _ = try record(store, folder)
    try await Visitor.visit(settings(store, folder)) { visitor in
      let page = try await visitor.get("/recordings/people.cdrec")
      let link = try #require(
        page.text.firstMatch(of: /href="([^"]*\/entities\/Person\/explain[^"]*)"/)?.1, "\(page.text)")
      let explanation = try await visitor.get(String(link).replacing("&amp;", with: "&"))
      #expect(explanation.status == .ok)
      #expect(explanation.text.contains("age == 1") && explanation.text.contains("CONTAINS[cd]"))
      #expect(explanation.text.contains("Step by step"))
    }
  }

  @Test func oneThatIsWrittenIsFoundAndFollowed() async throws {
    let store = try SampleStore()
    let folder = store.folder.appendingPathComponent("recordings")
    let whole = try Data(contentsOf: record(store, folder))
    let url = folder.appendingPathComponent("growing.cdrec")
    // As far as a program may have got.
    let first = whole.prefix(whole.count / 2)
    try first.write(to: url)
    var follower = try RecordingFollower(url)
    #expect(!follower.file().isFinished)
    try await Visitor.visit(settings(store, folder)) { visitor in
      #expect(try await visitor.get("/recordings").text.contains("being written"))
      let early = try await visitor.get("/recordings/growing.cdrec")
      #expect(early.text.contains("data-live-events=\"/recordings/growing.cdrec/events\""))
      let file = try FileHandle(forWritingTo: url)
      try file.seekToEnd()
      try file.write(contentsOf: whole.dropFirst(first.count))
      try file.close()
      let late = try await visitor.get("/recordings/growing.cdrec/content")
      let same = try await visitor.get("/recordings/people.cdrec/content")
      // Read in two parts, it is the same as read at once.
      #expect(late.text.replacing("growing", with: "people") == same.text)
      let events = try await visitor.get("/recordings/growing.cdrec/events")
      #expect(events.headers[.contentType] == "text/event-stream" && events.text.contains("\"isGrowing\":false"))
    }
    #expect(try follower.update())
    #expect(follower.file().isFinished)
    #expect(try !follower.update())
    // Another program writes to the same file: it is followed from its beginning.
    try whole.prefix(whole.count - 1).write(to: url)
    _ = try record(store, folder, "growing.cdrec")
    #expect(try follower.update())
    #expect(follower.file().isFinished)
  }

  @Test func aRecordingIsToldByHowItBegins() throws {
    let store = try SampleStore(people: 3)
    let url = try record(store, store.folder.appendingPathComponent("r"), "without-an-ending")
    var settings = StudioSettings(runs: store.folder)
    try settings.take(url.path)
    try settings.take(store.url.path)
    #expect(settings.recordings == [url] && settings.stores.map(\.lastPathComponent) == ["People.sqlite"])
  }

  @Test func samplesHaveTheKindOfWhatTheyAreComparedWith() {
    let store = RecordedStore("People", SampleStore.model())
    func sample(_ format: String) -> String { SamplePredicate(format: format, entity: "Person", in: store).text }
    #expect(sample("age > $value AND name == $value") == "age > 1 AND name == \"a\"")
    #expect(sample("friend.name BEGINSWITH[cd] $value") == "friend.name BEGINSWITH[cd] \"a\"")
    #expect(sample("age IN $values") == "age IN {1}")
    #expect(sample("friend == $value") == "friend == NULL")
    #expect(sample("born < $value") == "born < CAST(0, \"NSDate\")")
    #expect(sample("name == nil") == "name == nil")
  }
}

import CoreData
import Foundation
import Hummingbird
import Testing

@testable import StudioServer

/// A page of a long table does not wait until all objects are counted.
@Suite struct CountTests {
  private static let people = "/stores/People.sqlite/entities/Person"

  private struct Count: Decodable {
    var total: Int
    var text: String
  }

  @Test func aLongTableIsCountedBesideItsPage() async throws {
    let store = try SampleStore(people: 10_150)
    try await Visitor.visit(.of(store.url)) { visitor in
      let page = try await visitor.get(Self.people)
      #expect(page.text.contains("more than 10,000</strong> objects"), "\(page.text)")
      let link = try #require(page.text.firstMatch(of: /data-count="([^"]+)"/)?.1)
      let answer = try await visitor.get(EditVisit.unescaped(String(link)))
      let count = try JSONDecoder().decode(Count.self, from: Data(answer.text.utf8))
      #expect(count.total == 10_150 && count.text == "10,150")
      // Nobody has to look at all pages to see the last objects.
      let last = try await visitor.get(Self.people + "?from=10100")
      #expect(last.text.contains(">10,150</strong> objects") && last.text.contains("Person/p10150<"), "\(last.text)")
    }
  }

  @Test func aPredicatesObjectsAreCountedOnceUntilTheStoreIsWritten() async throws {
    let store = try SampleStore(people: 900)
    let opened = OpenedStore(name: "People.sqlite", url: store.url, models: NamedModels(files: []))
    var view = EntityView(store: "People.sqlite", entity: "Person")
    view.predicate = "age < 45"
    // What was written a moment ago may be written again within the same tick of the clock: it is counted each time.
    #expect(try await opened.count(view) == 450)
    try await Self.age(store)
    for _ in 0..<3 { #expect(try await opened.count(view) == 450) }
    let made = opened.counts.made
    view.offset = 100
    #expect(try await opened.count(view) == 450)
    #expect(opened.counts.made == made)
    try Self.add(to: store)
    #expect(try await opened.count(view) == 451)
  }

  /// Waits until the files have not been changed for some seconds: the time of an inode's change cannot be set.
  private static func age(_ store: SampleStore) async throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: store.folder.path)
    while true {
      let latest = names.map { (name: String) -> Double in
        var status = stat()
        guard stat(store.folder.appendingPathComponent(name).path, &status) == 0 else { return 0 }
        return Double(status.st_ctim.tv_sec) + Double(status.st_ctim.tv_nsec) / 1e9
      }.max()
      if Date().timeIntervalSince1970 > (latest ?? 0) + 2.1 { return }
      try await Task.sleep(for: .milliseconds(20))
    }
  }

  private static func add(to sample: SampleStore) throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: SampleStore.model())
    let store = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: sample.url,
      options: [NSPersistentHistoryTrackingKey: true as NSNumber])
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    try context.performAndWait {
      NSEntityDescription.insertNewObject(forEntityName: "Person", into: context).setValue(1, forKey: "age")
      try context.save()
    }
    try coordinator.remove(store)
  }
}

import CoreData
import CoreDataTools
import Foundation
import Hummingbird
import Testing

@testable import StudioServer

/// Stores as they are found: written by Apple's framework, in use, damaged, gone. Nothing of them is changed, and the
/// server goes on.
@Suite struct StorePageTests {
  /// Stores of Apple's framework, where the project's collection of them lies beside the working copy.
  private static let corpus: URL? = {
    var package = URL(fileURLWithPath: #filePath)
    for _ in 0..<4 { package.deleteLastPathComponent() }
    return ["../shared/corpus/stores", "../../shared/corpus/stores"].map {
      package.appending(path: $0).standardizedFileURL
    }
    .first { FileManager.default.fileExists(atPath: $0.path) }
  }()

  /// Every file below a folder with its bytes and its time of change.
  private func contents(_ folder: URL) throws -> [String: String] {
    let manager = FileManager.default
    return try Dictionary(
      uniqueKeysWithValues: manager.subpathsOfDirectory(atPath: folder.path).map { name in
        let path = folder.appending(path: name).path
        let date = try manager.attributesOfItem(atPath: path)[.modificationDate] as? Date
        return (name, "\(manager.contents(atPath: path)?.base64EncodedString() ?? "") \(date ?? .distantPast)")
      })
  }

  @Test(.enabled(if: corpus != nil, "the collection of stores is not there"))
  func storesOfApplesFrameworkAreShownAndNotTouched() async throws {
    let corpus = try #require(Self.corpus)
    let found = try FileManager.default.subpathsOfDirectory(atPath: corpus.path).filter { $0.hasSuffix(".sqlite") }
      .sorted()
    #expect(found.count > 10)
    for store in found where !store.contains("invalid") {
      let original = corpus.appending(path: store)
      let folder = FileManager.default.temporaryDirectory.appending(path: "studio-\(UUID().uuidString)")
      defer { try? FileManager.default.removeItem(at: folder) }
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      for suffix in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: original.path + suffix) {
        try FileManager.default.copyItem(
          atPath: original.path + suffix, toPath: folder.path + "/Data.sqlite" + suffix)
      }
      let before = try contents(folder)
      try await Visitor.visit(.of(folder.appending(path: "Data.sqlite"))) { visitor in
        let page = try await visitor.get("/stores/Data.sqlite")
        #expect(page.status == .ok || page.text.contains("model"), "\(store): \(page.status) \(page.text)")
        guard page.status == .ok else { return }
        for link in page.text.matches(of: /<th scope="row"><a href="([^"]+)">/).map({ String($0.1) }) {
          let entity = try await visitor.get(link)
          // A store may hold an entity that the model it keeps does not have.
          #expect(entity.status == .ok || entity.text.contains("has no entity"), "\(store): \(link) \(entity.text)")
          guard let first = entity.text.firstMatch(of: /<th scope="row"><a href="([^"]+)">/)?.1 else { continue }
          for path in [String(first), "\(first)/referrers"] {
            let object = try await visitor.get(path)
            #expect(object.status == .ok, "\(store): \(path) \(object.text)")
          }
        }
        let history = try await visitor.get("/stores/Data.sqlite/history")
        #expect(history.status == .ok)
      }
      #expect(try contents(folder) == before, "\(store) or its folder was changed")
    }
  }

  @Test func aStoreThatAnotherProgramWritesIsShownAsItIs() async throws {
    let sample = try SampleStore(people: 10)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: SampleStore.model())
    let store = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: sample.url,
      options: [NSPersistentHistoryTrackingKey: true as NSNumber])
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    try await Visitor.visit(.of(sample.url)) { visitor in
      for number in 11...15 {
        // Saved while the studio has the store open, and not kept from it.
        try await context.perform {
          NSEntityDescription.insertNewObject(forEntityName: "Person", into: context).setValue("Late", forKey: "name")
          try context.save()
        }
        let before = try sample.contents()
        let page = try await visitor.get("/stores/People.sqlite/entities/Person?from=0")
        #expect(page.text.contains("<strong id=\"total\">\(number)</strong> objects"))
        // The writer has the log's index in shared memory, where readers put their marks; the rest is as it was.
        let after = try sample.contents()
        #expect(Set(before.keys) == Set(after.keys))
        for (name, bytes) in before where !name.hasSuffix("-shm") { #expect(after[name] == bytes, "\(name)") }
      }
    }
    try coordinator.remove(store)
  }

  @Test func storesThatAreGoneOrDamagedGiveAPageAndHarmNoOther() async throws {
    let gone = try SampleStore(people: 3, name: "Gone.sqlite")
    let damaged = try SampleStore(people: 300, name: "Damaged.sqlite")
    let text = try SampleStore(people: 3, name: "Text.sqlite")
    let sound = try SampleStore(people: 3)
    try Data("This is no database, and was none.".utf8).write(to: text.url)
    try await Visitor.visit(.of(gone.url, damaged.url, text.url, sound.url)) { visitor in
      for name in ["Gone", "Damaged"] {
        let page = try await visitor.get("/stores/\(name).sqlite/entities/Person")
        #expect(page.status == .ok)
      }
      try FileManager.default.removeItem(at: gone.folder)
      var bytes = try Data(contentsOf: damaged.url)
      for index in 4_096..<bytes.count { bytes[index] = 0xA5 }
      try bytes.write(to: damaged.url)
      for name in ["Gone", "Damaged", "Text"] {
        for path in ["", "/entities/Person", "/objects/Person/p1", "/history"] {
          let page = try await visitor.get("/stores/\(name).sqlite\(path)")
          #expect(page.status.code >= 400, "\(name)\(path): \(page.status)")
          #expect(page.text.contains("class=\"failure\""), "\(name)\(path): \(page.text)")
          #expect(page.headers[.contentSecurityPolicy] != nil)
        }
        let page = try await visitor.get("/stores/People.sqlite/entities/Person")
        #expect(page.status == .ok)
      }
    }
  }

  /// A table is measured with its indexes; of a large file when that is asked for.
  @Test func tablesHaveTheirSizes() async throws {
    let store = try SampleStore(people: 500)
    try await Visitor.visit(.of(store.url)) { visitor in
      for address in ["/stores/People.sqlite", "/stores/People.sqlite?sizes=1"] {
        let page = try await visitor.get(address)
        #expect(page.text.contains(#/title="rows [\d.]+ kB, indexes /#), "\(page.text)")
        #expect(!page.text.contains("Measure the tables"))
      }
    }
    let reader = try StoreReader(store.url)
    let (report, sizes) = (try reader.info(), try reader.tableSizes())
    func content(_ sizes: [TableSize]?, canMeasure: Bool) -> StoreContent {
      StoreContent(report, sizes, canMeasure: canMeasure, "People.sqlite", model: reader.model)
    }
    #expect(content(nil, canMeasure: true).canMeasure && !content(nil, canMeasure: false).canMeasure)
    #expect(sizes?.first?.tableBytes ?? 0 > 4096 && !content(sizes, canMeasure: true).canMeasure)
  }

  @Test func aPlusThatWasTypedIsAPlus() async throws {
    let store = try SampleStore(people: 4, names: ["a+b", "a b"])
    try await Visitor.visit(.of(store.url)) { visitor in
      // As a form writes it: a plus for a space, and %2B for a plus.
      let page = try await visitor.get("/stores/People.sqlite/entities/Person?where=name+%3D%3D+%22a%2Bb%22")
      #expect(page.text.contains("<strong id=\"total\">1</strong> objects"))
      #expect(page.text.contains("Person/p1<") && !page.text.contains("Person/p2<"))
    }
  }

  @Test func whatThereIsNotIsNotFound() async throws {
    let store = try SampleStore(people: 3)
    try await Visitor.visit(.of(store.url)) { visitor in
      for path in [
        "/stores/Other", "/stores/People.sqlite/entities/Nobody", "/stores/People.sqlite/objects/Person/p99",
        "/jobs/none",
        "/stores/People.sqlite/objects/Person/p1/members/none", "/stores/People.sqlite/objects/Person/p1/data/name",
      ] {
        let page = try await visitor.get(path)
        #expect(page.status == .notFound, "\(path)")
      }
    }
  }
}

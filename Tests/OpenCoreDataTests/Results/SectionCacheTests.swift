import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// Sections kept in a file.
@Suite struct SectionCacheTests {
  private func withStore(_ body: (URL, String) throws -> Void) throws {
    let url = try TestModel.temporaryFile()
    let name = "Cache / \(UUID().uuidString)"
    defer {
      NSFetchedResultsController<NSFetchRequestResult>.deleteCache(withName: name)
      try? FileManager.default.removeItem(at: url.deletingLastPathComponent())
    }
    try body(url, name)
  }

  private func file(_ name: String) -> URL { SectionCacheFolder.file(name) }

  /// The sections that a new context gets.
  private func fetch(
    _ store: TestStore, _ url: URL, _ name: String, _ change: (NSFetchRequest<Catalog.Item>) -> Void = { _ in }
  ) throws -> [String] {
    let context = try Catalog.context(store, url: url)
    return try context.performAndWait {
      let request = Catalog.request("kind", "title")
      change(request)
      let controller = Catalog.controller(request, context, sections: "kind", cache: name)
      #expect(controller.cacheName == name)
      try controller.performFetch()
      return controller.sections?.map { "\($0.name)\($0.numberOfObjects)" } ?? []
    }
  }

  private func modified(_ name: String) throws -> Date? {
    try FileManager.default.attributesOfItem(atPath: file(name).path)[.modificationDate] as? Date
  }

  @Test func theFileIsUsedUntilTheStoreChanges() throws {
    try withStore { url, name in
      let context = try Catalog.context(url: url)
      try context.performAndWait { _ = try Catalog.fill(context, "a1", "a2", "b1") }
      #expect(try fetch(.sqlite, url, name) == ["a2", "b1"])
      #expect(
        try StatementLog.collect(thisThread: true) { try fetch(.sqlite, url, name) }.statements.allSatisfy {
          !$0.contains("GROUP BY")
        })
      // What the file says is believed: it is not computed again.
      let text = try String(contentsOf: file(name), encoding: .utf8)
      try text.replacingOccurrences(of: "\"b\"", with: "\"z\"").write(to: file(name), atomically: true, encoding: .utf8)
      #expect(try fetch(.sqlite, url, name) == ["a2", "z1"])
      try context.performAndWait { _ = try Catalog.fill(context, "c1") }
      #expect(try fetch(.sqlite, url, name) == ["a2", "b1", "c1"])
      // A change that leaves all numbers as they were is a change, too.
      try context.performAndWait {
        try context.all("Item", sortedBy: "title")[2].setValue("bb", forKey: "kind")
        try context.save()
      }
      #expect(try fetch(.sqlite, url, name) == ["a2", "bb1", "c1"])
    }
  }

  @Test(arguments: TestStore.all(that: .files)) func theFileOutlivesTheStoresOpening(_ store: TestStore) throws {
    try withStore { url, name in
      do {
        let coordinator = try store.coordinator(Catalog.model(), url: url)
        let context = TestModel.context(coordinator)
        try context.performAndWait { _ = try Catalog.fill(context, "a1", "b1") }
        try coordinator.remove(coordinator.persistentStores[0])
      }
      func open() throws -> [String] {
        let coordinator = try store.coordinator(Catalog.model(), url: url)
        let context = TestModel.context(coordinator)
        let names = try context.performAndWait {
          let controller = Catalog.controller(Catalog.request("kind"), context, sections: "kind", cache: name)
          try controller.performFetch()
          return controller.sectionNames ?? []
        }
        try coordinator.remove(coordinator.persistentStores[0])
        return names
      }
      #expect(try open() == ["a", "b"])
      let text = try String(contentsOf: file(name), encoding: .utf8)
      try text.replacingOccurrences(of: "\"b\"", with: "\"z\"").write(to: file(name), atomically: true, encoding: .utf8)
      #expect(try open() == ["a", "z"])
    }
  }

  @Test(arguments: TestStore.all(that: .files)) func anotherRequestDoesNotFitTheFile(_ store: TestStore) throws {
    try withStore { url, name in
      let context = try Catalog.context(store, url: url)
      try context.performAndWait { _ = try Catalog.fill(context, "a1", "a2", "b1") }
      #expect(try fetch(store, url, name) == ["a2", "b1"])
      #expect(try fetch(store, url, name) { $0.predicate = NSPredicate(format: "title != 'a1'") } == ["a1", "b1"])
      #expect(try fetch(store, url, name) { $0.fetchLimit = 2 } == ["a2"])
      #expect(
        try fetch(store, url, name) { $0.sortDescriptors = [NSSortDescriptor(key: "kind", ascending: false)] }
          == ["b1", "a2"])
    }
  }

  @Test(arguments: TestStore.all(that: .files)) func aDamagedFileCountsAsNone(_ store: TestStore) throws {
    try withStore { url, name in
      let context = try Catalog.context(store, url: url)
      try context.performAndWait { _ = try Catalog.fill(context, "a1", "a2", "b1") }
      _ = try fetch(store, url, name)
      let good = try String(contentsOf: file(name), encoding: .utf8)
      for bad in [
        "", "no JSON", "[]", String(good.dropLast(20)), good.replacingOccurrences(of: "[2,1]", with: "[3,1]"),
        good.replacingOccurrences(of: "[2,1]", with: "[2]"), good.replacingOccurrences(of: "[2,1]", with: "[3,0]"),
        good.replacingOccurrences(of: "[2,1]", with: "[9223372036854775807,1]"),
        good.replacingOccurrences(of: "\"b\"", with: "\"a\""),
      ] {
        #expect(bad != good)
        try bad.write(to: file(name), atomically: true, encoding: .utf8)
        #expect(try fetch(store, url, name) == ["a2", "b1"])
        #expect(try String(contentsOf: file(name), encoding: .utf8).contains("[2,1]"))
      }
    }
  }

  @Test func cachesAreDeletedByName() throws {
    try withStore { url, name in
      let context = try Catalog.context(url: url)
      try context.performAndWait {
        _ = try Catalog.fill(context, "a1", "b1")
        let controller = Catalog.controller(Catalog.request("kind"), context, sections: "kind", cache: name)
        try controller.performFetch()
        #expect(FileManager.default.fileExists(atPath: file(name).path))
        NSFetchedResultsController<Catalog.Item>.deleteCache(withName: name)
        #expect(!FileManager.default.fileExists(atPath: file(name).path))
        // Now the request may be changed.
        controller.fetchRequest.predicate = NSPredicate(format: "kind == 'b'")
        try controller.performFetch()
        #expect(controller.sectionNames == ["b"])
      }
    }
  }

  @Test func pendingChangesAndPrivateStoresAreNotCached() throws {
    try withStore { url, name in
      let context = try Catalog.context(url: url)
      try context.performAndWait {
        _ = try Catalog.fill(context, "a1", "b1")
        context.insert("Item", ["title": "c1", "kind": "c"])
        let controller = Catalog.controller(Catalog.request("kind"), context, sections: "kind", cache: name)
        try controller.performFetch()
        #expect(controller.sectionNames == ["a", "b", "c"])
        #expect(!FileManager.default.fileExists(atPath: file(name).path))
      }
      let memory = try Catalog.context()
      try memory.performAndWait {
        _ = try Catalog.fill(memory, "a1")
        try Catalog.controller(Catalog.request("kind"), memory, sections: "kind", cache: name).performFetch()
        #expect(!FileManager.default.fileExists(atPath: file(name).path))
      }
    }
  }

  @Test func aRequestThatIsChangedUnderItsCacheStopsTheProgram() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let url = try TestModel.temporaryFile()
      let context = try Catalog.context(url: url)
      try context.performAndWait {
        let name = "stops \(UUID().uuidString)"
        let controller = Catalog.controller(Catalog.request("kind"), context, sections: "kind", cache: name)
        try controller.performFetch()
        // The files go here: the program ends below. The controller does not look at them before it stops.
        try FileManager.default.removeItem(at: SectionCacheFolder.file(name))
        try FileManager.default.removeItem(at: url.deletingLastPathComponent())
        controller.fetchRequest.predicate = NSPredicate(format: "kind == 'b'")
        try controller.performFetch()
      }
    }
    let text = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
    #expect(
      text.contains(
        "FATAL ERROR: The persistent cache of section information does not match the current configuration.  You have "
          + "illegally mutated the NSFetchedResultsController's fetch request"))
  }
}

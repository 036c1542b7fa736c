import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// A process has a mark beside the files that no row names, and whoever opens the store looks for such files only then.
@Suite struct ExternalMarkTests {
  typealias Fixture = ExternalFixture

  private func store() throws -> Fixture {
    let store = try Fixture()
    try store.inContext { context in
      _ = context.make("Picture", ["name": "a", "data": Fixture.large])
      try context.save()
    }
    return store
  }

  private func support(_ store: Fixture) -> URL { store.folder.deletingLastPathComponent() }

  private func marks(_ store: Fixture) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: support(store).path).filter(ExternalMark.isName)
  }

  /// A mark and a file, as a process leaves them that is killed.
  private func leave(_ store: Fixture, seconds: TimeInterval = 7200) throws -> (mark: URL, file: URL) {
    let mark = support(store).appendingPathComponent(".\(UUID().uuidString).OCDChanging")
    let file = store.folder.appendingPathComponent(UUID().uuidString)
    for place in [mark, file] {
      try Data().write(to: place)
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -seconds)], ofItemAtPath: place.path)
    }
    return (mark, file)
  }

  private func isThere(_ place: URL) -> Bool { FileManager.default.fileExists(atPath: place.path) }

  @Test func thereIsOneAsLongAsAFileWaits() throws {
    let store = try store()
    #expect(try marks(store) == [])
    let reader = try SQLiteConnection(path: store.file.path, readOnly: true, create: false, timeout: 5, pragmas: [])
    try reader.execute("BEGIN")
    #expect(try reader.integer("SELECT COUNT(*) FROM ZPICTURE") == 1)
    try store.inContext { context in
      context.delete(try context.named("a", "Picture"))
      try context.save()
      #expect(try marks(store).count == 1 && store.files().count == 1)
      // One is enough for all.
      _ = context.make("Picture", ["name": "b", "data": Fixture.large])
      try context.save()
      #expect(try marks(store).count == 1 && store.files().count == 2)
      try reader.execute("COMMIT")
      // Any save removes what nobody needs any more.
      _ = context.make("Album", ["name": "c"])
      try context.save()
      #expect(try marks(store) == [] && store.files() == store.references())
      // A save that fails leaves neither.
      _ = context.make("Picture", ["name": "b", "data": Fixture.bytes(150_000, 3)])
      #expect(throws: NSError.self) { try context.save() }
      #expect(try marks(store) == [] && store.files().count == 1)
    }
  }

  /// What a reader elsewhere keeps a store from removing until it is closed is removed by a later opening.
  @Test func whatWaitsWhenAStoreIsClosedIsLeft() throws {
    let store = try store()
    let reader = try SQLiteConnection(path: store.file.path, readOnly: true, create: false, timeout: 5, pragmas: [])
    try reader.execute("BEGIN")
    #expect(try reader.integer("SELECT COUNT(*) FROM ZPICTURE") == 1)
    try store.inContext { context in
      context.delete(try context.named("a", "Picture"))
      try context.save()
    }
    try store.coordinator.remove(store.coordinator.persistentStores[0])
    let mark = support(store).appendingPathComponent(try #require(try marks(store).first))
    for place in [mark, store.folder.appendingPathComponent(try #require(store.files().first))] {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -7200)], ofItemAtPath: place.path)
    }
    // As long as the reader is there, so is the file.
    _ = try Fixture(at: store.file)
    #expect(try marks(store).count == 1 && store.files().count == 1)
    try reader.execute("COMMIT")
    _ = try Fixture(at: store.file)
    #expect(try marks(store) == [] && store.files().isEmpty)
  }

  @Test func anOpeningOrASaveRemovesWhatIsOld() throws {
    for opens in [true, false] {
      let store = try store()
      let young = try leave(store, seconds: 60), old = try leave(store)
      if opens {
        _ = try Fixture(at: store.file)
      } else {
        try store.inContext { context in
          _ = context.make("Picture", ["name": "b", "data": Fixture.bytes(150_000, 2)])
          try context.save()
        }
      }
      // The young one may be a file that a save is about to name.
      #expect(!isThere(old.file) && isThere(young.file) && isThere(young.mark))
      #expect(try store.references().isSubset(of: store.files()))
    }
  }

  @Test func withoutAMarkNothingIsLookedFor() throws {
    let store = try store()
    let left = try leave(store)
    try FileManager.default.removeItem(at: left.mark)
    #expect(!ExternalFileCleaning.removeLeftByKilled(storePath: store.file.path))
    _ = try Fixture(at: store.file)
    #expect(isThere(left.file))
    // A mark that somebody has is not one of a killed process.
    let mark = try ExternalMark(in: ExternalStorage(storePath: store.file.path).openSupport())
    for name in try marks(store) {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -7200)],
        ofItemAtPath: support(store).appendingPathComponent(name).path)
    }
    #expect(!ExternalFileCleaning.removeLeftByKilled(storePath: store.file.path))
    withExtendedLifetime(mark) {}
    #expect(isThere(left.file))
  }

  /// A neighbour that cannot be read may name the files.
  @Test func nothingGoesBesideAStoreThatCannotBeRead() throws {
    let store = try store()
    let left = try leave(store)
    let neighbour = store.file.deletingPathExtension().appendingPathExtension("old")
    let bytes = try Data(contentsOf: store.file)
    try (bytes.prefix(100) + Data(repeating: 7, count: 5000)).write(to: neighbour)
    #expect(ExternalFileCleaning.removeLeftByKilled(storePath: store.file.path))
    #expect(isThere(left.file) && isThere(left.mark))
    // The mark is young now, so that the next save does not try again.
    #expect(!ExternalFileCleaning.removeLeftByKilled(storePath: store.file.path))
  }

  @Test func aCopyHasNoMarks() throws {
    let store = try store()
    _ = try leave(store)
    let copy = store.file.deletingLastPathComponent().appendingPathComponent("Copy.sqlite")
    try NSPersistentStoreCoordinator.backUpPersistentStore(at: store.file, to: copy)
    let names = try FileManager.default.contentsOfDirectory(
      atPath: ExternalStorage.supportFolder(forStoreAt: copy).path)
    #expect(names == [ExternalStorage.valuesFolder])
  }
}

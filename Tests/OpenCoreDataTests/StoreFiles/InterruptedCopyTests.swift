import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// A copy whose process is killed after it has put the values in place, and before the database: the values go with the next
/// opening or copy in that folder, and nobody else's.
@Suite struct InterruptedCopyTests {
  typealias Fixture = ExternalFixture

  /// A store with three large values, whose copy was interrupted.
  private struct Interrupted {
    let store: Fixture
    var copy: URL { store.file.deletingLastPathComponent().appendingPathComponent("Copy.sqlite") }
    var support: URL { ExternalStorage.supportFolder(forStoreAt: copy) }
    var values: URL { support.appendingPathComponent(ExternalStorage.valuesFolder) }

    init() async throws {
      store = try Fixture()
      try store.inContext { context in
        for name in ["a", "b", "c"] { _ = context.make("Picture", ["name": name, "data": Fixture.large]) }
        try context.save()
      }
      try store.coordinator.remove(store.coordinator.persistentStores[0])
      try await kill()
    }

    func kill() async throws {
      let (path, place) = (store.file.path, copy.path)
      await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, place = place as String] in
        let source = try StoreFiles(URL(fileURLWithPath: path)), target = try StoreFiles(URL(fileURLWithPath: place))
        let copy = try StoreCopy(of: source, beside: target, timeout: 5, progress: nil)
        try copy.installValues(copy.namesOfNewValues(at: target), at: target)
        Foundation.kill(getpid(), SIGKILL)
      }
    }

    func names(_ folder: URL) -> Set<String> {
      Set((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
    }

    /// The working folder that is left.
    var working: URL? {
      let folder = copy.deletingLastPathComponent()
      return names(folder).first { $0.hasSuffix(".OCDWorking") }.map(folder.appendingPathComponent)
    }

    func remove() { try? FileManager.default.removeItem(at: copy.deletingLastPathComponent()) }
  }

  @Test func theNextOpeningTakesTheValuesBack() async throws {
    let interrupted = try await Interrupted()
    defer { interrupted.remove() }
    #expect(interrupted.names(interrupted.values).count == 3 && interrupted.working != nil)
    #expect(!FileManager.default.fileExists(atPath: interrupted.copy.path))
    let opened = try Fixture(at: interrupted.store.file)
    #expect(interrupted.working == nil)
    #expect(!FileManager.default.fileExists(atPath: interrupted.support.path))
    #expect(try opened.files() == opened.references() && opened.files().count == 3)
  }

  @Test func theNextCopyIsWhole() async throws {
    let interrupted = try await Interrupted()
    defer { interrupted.remove() }
    // Its values have other names than those that were left.
    let store = try Fixture(at: interrupted.store.file)
    try store.inContext { context in
      for picture in try context.all("Picture") { picture.setValue(Fixture.bytes(160_000, 9), forKey: "data") }
      try context.save()
    }
    try NSPersistentStoreCoordinator.backUpPersistentStore(at: store.file, to: interrupted.copy)
    let copy = try Fixture(at: interrupted.copy)
    #expect(try copy.files() == copy.references() && copy.files() == store.files())
    let values = try copy.inContext { context in
      try context.all("Picture").map { $0.value(forKey: "data") as? Data }
    }
    #expect(values == Array(repeating: Fixture.bytes(160_000, 9), count: 3))
  }

  @Test func aDatabaseThatIsThereKeepsItsValues() async throws {
    let interrupted = try await Interrupted()
    defer { interrupted.remove() }
    let working = try #require(interrupted.working)
    try FileManager.default.copyItem(at: working.appendingPathComponent("Copy"), to: interrupted.copy)
    _ = try Fixture(at: interrupted.store.file)
    #expect(interrupted.working == nil)
    let copy = try Fixture(at: interrupted.copy)
    #expect(try copy.files() == copy.references() && copy.files().count == 3)
  }

  @Test func otherFilesStay() async throws {
    let interrupted = try await Interrupted()
    defer { interrupted.remove() }
    let name = try #require(interrupted.names(interrupted.values).min())
    let file = interrupted.values.appendingPathComponent(name)
    // Another process has put its own copy of the value there, and a value of a neighbour is in the folder.
    let spare = interrupted.support.appendingPathComponent("spare")
    try FileManager.default.copyItem(at: file, to: spare)
    #expect(rename(spare.path, file.path) == 0)
    let neighbour = UUID().uuidString
    try Data([1]).write(to: interrupted.values.appendingPathComponent(neighbour))
    _ = try Fixture(at: interrupted.store.file)
    #expect(interrupted.names(interrupted.values) == [name, neighbour])
  }

  @Test func readOnlyOpeningsTakeNothingBack() async throws {
    let interrupted = try await Interrupted()
    defer { interrupted.remove() }
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Fixture.model())
    try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: interrupted.store.file,
      options: [NSReadOnlyPersistentStoreOption: true])
    #expect(interrupted.names(interrupted.values).count == 3 && interrupted.working != nil)
  }

  /// Where SQLite has linked or moved the database out of the working folder, the copy is whole.
  @Test func aDatabaseThatHasLeftKeepsItsValues() async throws {
    for isLinked in [true, false] {
      let interrupted = try await Interrupted()
      defer { interrupted.remove() }
      let database = try #require(interrupted.working).appendingPathComponent("Copy")
      let place = interrupted.copy.deletingLastPathComponent().appendingPathComponent("elsewhere")
      #expect((isLinked ? link(database.path, place.path) : rename(database.path, place.path)) == 0)
      _ = try Fixture(at: interrupted.store.file)
      #expect(interrupted.working == nil && interrupted.names(interrupted.values).count == 3)
    }
  }

  @Test func aNoteThatLeadsElsewhereIsNone() throws {
    let folder = try TestModel.temporaryFile("x").deletingLastPathComponent()
    defer { try? FileManager.default.removeItem(at: folder) }
    let handle = try FolderHandle(folder.path)
    let file = InstallationNote.File(name: UUID().uuidString, inode: 7)
    func read(_ target: String, _ support: String, _ values: String, _ name: String? = nil) throws -> InstallationNote?
    {
      let files = [InstallationNote.File(name: name ?? file.name, inode: 7)]
      let note = InstallationNote(
        source: "Copy", target: target, supportFolder: support, valuesFolder: values, files: files)
      try note.write(in: handle)
      return InstallationNote(in: handle)
    }
    #expect(try read("S.sqlite", ".S_SUPPORT", "_EXTERNAL_DATA")?.files == [file])
    for support in ["..", "../.S_SUPPORT", "S_SUPPORT", "", "."] {
      #expect(try read("S.sqlite", support, "_EXTERNAL_DATA") == nil, "\(support)")
    }
    for name in ["..", "a/b", "", "/etc"] {
      #expect(try read(name, ".S_SUPPORT", "_EXTERNAL_DATA") == nil && read("S", ".S", name) == nil, "\(name)")
    }
    #expect(try read("S.sqlite", ".S_SUPPORT", "_EXTERNAL_DATA", "../../file")?.files == [])
    try handle.remove("Installing")
    #expect(InstallationNote(in: handle) == nil)
  }
}

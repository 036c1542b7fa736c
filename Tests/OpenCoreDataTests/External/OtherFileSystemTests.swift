import CoreData
import Foundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// Values in files when a store, or its values alone, are on another file system, to which nothing can be moved by a new name.
@Suite struct OtherFileSystemTests {
  typealias Fixture = ExternalFixture
  private static let shared = "/dev/shm"

  private static func device(_ path: String) -> dev_t? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_dev : nil
  }

  private static let hasTwo =
    device(shared) != nil && device(shared) != device(FileManager.default.temporaryDirectory.path)
    && access(shared, W_OK) == 0

  /// A folder on the other file system, removed at the end.
  private func elsewhere<Result>(_ body: (URL) throws -> Result) throws -> Result {
    let folder = URL(fileURLWithPath: "\(Self.shared)/ocd-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder)
  }

  private static func fill(_ store: Fixture) throws {
    try store.inContext { context in
      for number in 0..<3 {
        _ = context.make("Picture", ["name": "\(number)", "data": Fixture.bytes(150_000, UInt8(number))])
      }
      try context.save()
    }
  }

  private static let values = (0..<3).map { Fixture.bytes(150_000, UInt8($0)) as Data? }

  private static func values(_ coordinator: NSPersistentStoreCoordinator) throws -> [Data?] {
    try coordinator.inContext {
      try $0.all("Picture", sortedBy: "name").map { $0.value(forKey: "data") as? Data }
    }
  }

  /// The values as another stack reads them; every file is named by a row.
  private static func check(_ file: URL, _ expected: [Data?] = values) throws {
    let store = try Fixture(at: file)
    #expect(try values(store.coordinator) == expected)
    #expect(try store.files() == store.references() && store.files().count == expected.compactMap { $0 }.count)
    try store.coordinator.remove(store.coordinator.persistentStores[0])
    #expect(try StoreCheck.errors(file) == [])
  }

  @Test(.enabled(if: hasTwo, "there is one file system only")) func storesGoThereAndBack() throws {
    try elsewhere { folder in
      let here = try Fixture()
      try Self.fill(here)
      let coordinator = here.coordinator
      // Migrated there, then back.
      let there = folder.appendingPathComponent("There.sqlite")
      let moved = try coordinator.migratePersistentStore(
        coordinator.persistentStores[0], to: there, type: .sqlite)
      #expect(try Self.values(coordinator) == Self.values)
      let back = try TestModel.temporaryFile("Back.sqlite")
      let last = try coordinator.migratePersistentStore(moved, to: back, type: .sqlite)
      #expect(try Self.values(coordinator) == Self.values)
      try coordinator.remove(last)
      for file in [here.file, there, back] { try Self.check(file) }
      // Replaced, where something is and where nothing is.
      for place in [there, folder.appendingPathComponent("New.sqlite")] {
        try coordinator.replacePersistentStore(at: place, withPersistentStoreFrom: back, type: .sqlite)
        try Self.check(place)
      }
      let copy = folder.appendingPathComponent("Copy.sqlite")
      try NSPersistentStoreCoordinator.backUpPersistentStore(at: back, to: copy)
      try Self.check(copy)
      try coordinator.removePersistentStore(at: there, ofType: NSSQLiteStoreType)
      #expect(try !FileManager.default.contentsOfDirectory(atPath: folder.path).contains { $0.contains("There") })
    }
  }

  /// Values that earlier versions have put beside a link come to the store, on the file system that it is on.
  @Test(.enabled(if: hasTwo, "there is one file system only")) func strayedValuesComeHome() throws {
    try elsewhere { folder in
      let real = folder.appendingPathComponent("Real.sqlite")
      let store = try Fixture(at: real)
      try Self.fill(store)
      try store.coordinator.remove(store.coordinator.persistentStores[0])
      let link = try TestModel.temporaryFile("Link.sqlite")
      try FileManager.default.createSymbolicLink(at: link, withDestinationURL: real)
      let support = ExternalStorage.supportFolder(forStoreAt: real)
      let strayed = ExternalStorage.supportFolder(forStoreAt: link)
      try FileManager.default.copyItem(at: support, to: strayed)
      try FileManager.default.removeItem(at: support)
      let linked = try Fixture(at: link)
      #expect(try Self.values(linked.coordinator) == Self.values)
      try linked.coordinator.remove(linked.coordinator.persistentStores[0])
      #expect(!FileManager.default.fileExists(atPath: strayed.path))
      try Self.check(real)
    }
  }

  /// A link in the place of the support folder is not followed: a store from elsewhere would have files of others read, and
  /// removed, by it. Values that are there are not lost: they are nil, with a line in the log, until the link is a folder again.
  @Test(.enabled(if: hasTwo, "there is one file system only")) func aLinkIsNotFollowed() throws {
    try elsewhere { folder in
      let store = try Fixture()
      try Self.fill(store)
      try store.coordinator.remove(store.coordinator.persistentStores[0])
      let support = ExternalStorage.supportFolder(forStoreAt: store.file)
      let target = folder.appendingPathComponent("Support")
      try FileManager.default.copyItem(at: support, to: target)
      try FileManager.default.removeItem(at: support)
      try FileManager.default.createSymbolicLink(at: support, withDestinationURL: target)
      let open = try Fixture(at: store.file)
      try open.inContext { context in
        let picture = try context.named("0", "Picture")
        #expect(picture.value(forKey: "data") == nil)
        _ = context.make("Picture", ["name": "new", "data": Fixture.large])
        let error = try #require(throws: NSError.self) { try context.save() }
        #expect(error.domain == NSCocoaErrorDomain && error.code == CocoaError.Code.fileWriteUnknown.rawValue)
      }
      try open.coordinator.remove(open.coordinator.persistentStores[0])
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: target.appending(path: "_EXTERNAL_DATA").path).count == 3)
      try FileManager.default.removeItem(at: support)
      try FileManager.default.copyItem(at: target, to: support)
      try Self.check(store.file)
    }
  }

  // MARK: A mounted support folder

  private static func run(_ program: String, _ arguments: String...) -> Bool {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.standardError = FileHandle.nullDevice
    do { try process.run() } catch { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }

  private static let mayMount = run("/usr/bin/unshare", "-m", "mount", "-t", "tmpfs", "none", "/mnt")

  /// In a process whose mounts nobody else sees, and which all go when it ends.
  @Test(.enabled(if: mayMount, "nothing can be mounted")) func aMountedSupportFolder() async throws {
    let file = try TestModel.temporaryFile()
    await #expect(processExitsWith: .success) { [path = file.path as String] in
      try OtherFileSystemTests.useMounted(URL(fileURLWithPath: path))
    }
    try FileManager.default.removeItem(at: file.deletingLastPathComponent())
  }

  /// A process that is killed while it installs a copy whose support folder is mounted leaves values on the other file system.
  /// They go with its working folder, which has lost its lock.
  @Test(.enabled(if: mayMount, "nothing can be mounted")) func whatAKilledInstallationLeavesThere() async throws {
    let file = try TestModel.temporaryFile()
    await #expect(processExitsWith: .success) { [path = file.path as String] in
      try OtherFileSystemTests.leaveMounted(URL(fileURLWithPath: path))
    }
    try FileManager.default.removeItem(at: file.deletingLastPathComponent())
  }

  /// What does not fit on the other file system replaces nothing there, and stays where it was.
  @Test(.enabled(if: mayMount, "nothing can be mounted")) func whatDoesNotFitStays() async throws {
    let folder = try TestModel.temporaryFile("x").deletingLastPathComponent()
    await #expect(processExitsWith: .success) { [path = folder.path as String] in
      try OtherFileSystemTests.moveWithoutRoom(URL(fileURLWithPath: path))
    }
    try FileManager.default.removeItem(at: folder)
  }

  /// Gives this thread, and the programs that it runs, mounts of their own. The system's module does not have the function.
  private static func haveOwnMounts() throws {
    let unshare = unsafeBitCast(
      try #require(dlsym(nil, "unshare")), to: (@convention(c) (Int32) -> Int32).self)
    try #require(unshare(0x0002_0000) == 0)  // CLONE_NEWNS
    try #require(run("/usr/bin/mount", "--make-rprivate", "/"))
  }

  private static func useMounted(_ file: URL) throws {
    let support = ExternalStorage.supportFolder(forStoreAt: file)
    try FileManager.default.createDirectory(at: support, withIntermediateDirectories: false)
    try haveOwnMounts()
    try #require(run("/usr/bin/mount", "-t", "tmpfs", "none", support.path))
    try #require(device(support.path) != device(file.deletingLastPathComponent().path))
    let store = try Fixture(at: file)
    // The mounts are this thread's: another thread would look for files in the folder below.
    store.coordinator.sqlStores.first?.readers.whenReaped = nil
    try fill(store)
    try #require(device(store.folder.path) == device(support.path))
    try store.inContext { context in
      try context.named("0", "Picture").setValue(Fixture.large, forKey: "data")
      context.delete(try context.named("1", "Picture"))
      try context.save()
    }
    let left = [Fixture.large, Fixture.bytes(150_000, 2)] as [Data?]
    #expect(try values(store.coordinator) == left)
    // Away from there, and over it.
    let other = file.deletingLastPathComponent().appendingPathComponent("Other.sqlite")
    let moved = try store.coordinator.migratePersistentStore(
      store.coordinator.persistentStores[0], to: other, type: .sqlite)
    try store.coordinator.remove(moved)
    try check(file, left)
    try check(other, left)
    let copy = file.deletingLastPathComponent().appendingPathComponent("Copy.sqlite")
    try NSPersistentStoreCoordinator.backUpPersistentStore(at: file, to: copy)
    try check(copy, left)
    let new = try Fixture(at: file.deletingLastPathComponent().appendingPathComponent("New.sqlite"))
    try fill(new)
    try new.coordinator.remove(new.coordinator.persistentStores[0])
    try new.coordinator.replacePersistentStore(at: file, withPersistentStoreFrom: new.file, type: .sqlite)
    try check(file)
    try new.coordinator.destroyPersistentStore(at: file, type: .sqlite)
    #expect(try FileManager.default.contentsOfDirectory(atPath: support.path).isEmpty)
  }

  private static func names(_ folder: URL) throws -> Set<String> {
    Set(try FileManager.default.contentsOfDirectory(atPath: folder.path))
  }

  private static func leaveMounted(_ file: URL) throws {
    let source = try Fixture(at: file.deletingLastPathComponent().appendingPathComponent("Source.sqlite"))
    try fill(source)
    let sourceNames = source.files()
    try source.coordinator.remove(source.coordinator.persistentStores[0])
    let support = ExternalStorage.supportFolder(forStoreAt: file)
    let values = support.appendingPathComponent(ExternalStorage.valuesFolder)
    try FileManager.default.createDirectory(at: support, withIntermediateDirectories: false)
    try haveOwnMounts()
    try #require(run("/usr/bin/mount", "-t", "tmpfs", "none", support.path))
    let target = try StoreFiles(file)
    // As a kill does, this leaves the working folder without its lock.
    func install(upTo step: Int) throws {
      let copy = try StoreCopy(of: StoreFiles(source.file), beside: target, timeout: 5, progress: nil)
      if step == 0 {
        _ = try #require(try copy.staged(at: target))
      } else {
        try copy.installValues(copy.namesOfNewValues(at: target), at: target)
      }
    }
    for step in 0...1 {
      try install(upTo: step)
      #expect(try !names(support).isEmpty)
      if step == 1 { #expect(try names(values) == sourceNames) }
      WorkingFolder.removeLeftOver(beside: file.path)
      #expect(try names(support).isEmpty, "\(step)")
      #expect(try !names(file.deletingLastPathComponent()).contains { $0.hasSuffix(".OCDWorking") })
    }
    // Another process has put its own copy of a value there meanwhile, and a neighbour's value is there.
    let neighbour = UUID().uuidString
    try install(upTo: 1)
    let name = try #require(sourceNames.min())
    let spare = support.appendingPathComponent("spare")
    try FileManager.default.copyItem(at: values.appendingPathComponent(name), to: spare)
    try #require(rename(spare.path, values.appendingPathComponent(name).path) == 0)
    try Data([1]).write(to: values.appendingPathComponent(neighbour))
    WorkingFolder.removeLeftOver(beside: file.path)
    #expect(try names(values) == [name, neighbour])
    // The folder of values is there, and the copy is installed as a whole.
    try install(upTo: 0)
    #expect(try names(values).count == 3)
    try NSPersistentStoreCoordinator.backUpPersistentStore(at: source.file, to: file)
    #expect(try names(support) == [ExternalStorage.valuesFolder])
    #expect(try names(values) == sourceNames.union([neighbour]))
  }

  private static func moveWithoutRoom(_ folder: URL) throws {
    let manager = FileManager.default
    let (here, there) = (folder.appendingPathComponent("here"), folder.appendingPathComponent("there"))
    for place in [here, there] { try manager.createDirectory(at: place, withIntermediateDirectories: false) }
    try haveOwnMounts()
    try #require(run("/usr/bin/mount", "-t", "tmpfs", "-o", "size=256k", "none", there.path))
    func fill(_ place: URL, _ size: Int) throws {
      let own = place.appendingPathComponent("F")
      try manager.createDirectory(at: own, withIntermediateDirectories: false)
      for name in ["a", "b"] { try Data(count: size).write(to: own.appendingPathComponent(name)) }
      try Data(repeating: 1, count: size).write(to: place.appendingPathComponent("f"))
    }
    try fill(here, 300_000)
    try fill(there, 1000)
    let (from, to) = try (FolderHandle(here.path), FolderHandle(there.path))
    for name in ["F", "f"] {
      let error = try #require(throws: POSIXError.self) { try from.moveAll(name, to: to) }
      #expect(error.code == .ENOSPC)
    }
    #expect(try names(here) == ["F", "f"] && names(there) == ["F", "f"])
    #expect(try names(here.appendingPathComponent("F")) == ["a", "b"])
    for name in ["F/a", "F/b", "f"] {
      #expect(try Data(contentsOf: there.appendingPathComponent(name)).count == 1000)
      #expect(try Data(contentsOf: here.appendingPathComponent(name)).count == 300_000)
    }
  }
}

import CoreData
import Foundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// Values beside a link that come to their store on another file system, by a process that is killed meanwhile.
@Suite struct KilledStrayedValuesTests {
  typealias Fixture = ExternalFixture
  private static let values = (0..<3).map { Fixture.bytes(900_000, UInt8($0)) as Data? }

  private static let hasTwo: Bool = {
    var (one, two) = (stat(), stat())
    return stat("/dev/shm", &one) == 0 && stat(FileManager.default.temporaryDirectory.path, &two) == 0
      && one.st_dev != two.st_dev && access("/dev/shm", W_OK) == 0
  }()

  private static func open(_ url: URL) throws -> NSPersistentStoreCoordinator {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Fixture.model())
    try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url)
    return coordinator
  }

  /// A store whose values lie beside a link to it, and the names of their files.
  private func strayed(in folder: URL) throws -> (real: URL, link: URL, names: Set<String>) {
    let real = folder.appendingPathComponent("Real.sqlite"), store = try Fixture(at: real)
    try store.inContext { context in
      for (number, value) in Self.values.enumerated() {
        _ = context.make("Picture", ["name": "\(number)", "data": value as Any])
      }
      try context.save()
    }
    let names = try store.references()
    try store.coordinator.remove(store.coordinator.persistentStores[0])
    let link = try TestModel.temporaryFile("Link.sqlite")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: real)
    let support = ExternalStorage.supportFolder(forStoreAt: real)
    try FileManager.default.copyItem(at: support, to: ExternalStorage.supportFolder(forStoreAt: link))
    try FileManager.default.removeItem(at: support)
    return (real, link, names)
  }

  private func names(_ folder: URL) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
  }

  @Test(.enabled(if: hasTwo, "there is one file system only"), arguments: 1...3)
  func aCopyGoesLater(_ count: Int) async throws {
    let folder = URL(fileURLWithPath: "/dev/shm/ocd-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (real, link, named) = try strayed(in: folder)
    let support = ExternalStorage.supportFolder(forStoreAt: real)
    let external = support.appendingPathComponent("_EXTERNAL_DATA")
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [link = link.path as String, external = external.path as String, count = count as Int] in
      // Killed when there are so many files; at the latest when all are moved.
      Thread.detachNewThread {
        while ((try? FileManager.default.contentsOfDirectory(atPath: external).count) ?? 0) < count {}
        kill(getpid(), SIGKILL)
      }
      _ = try KilledStrayedValuesTests.open(URL(fileURLWithPath: link))
      while true { sleep(1) }
    }
    // Whenever it was: beside a file that no row names there is a mark.
    let unnamed = names(external).filter { !named.contains($0) }
    let marks = names(support).filter(ExternalMark.isName)
    #expect(unnamed.isEmpty || marks.count == 1, "\(unnamed)")
    // An hour later.
    for place in unnamed.map(external.appendingPathComponent) + marks.map(support.appendingPathComponent) {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -7200)], ofItemAtPath: place.path)
    }
    let coordinator = try Self.open(link)
    let found = try coordinator.inContext {
      try $0.all("Picture", sortedBy: "name").map { $0.value(forKey: "data") as? Data }
    }
    #expect(found == Self.values)
    try coordinator.remove(coordinator.persistentStores[0])
    #expect(names(external).sorted() == named.sorted() && names(support) == ["_EXTERNAL_DATA"])
    #expect(!FileManager.default.fileExists(atPath: ExternalStorage.supportFolder(forStoreAt: link).path))
  }

  /// Without a kill no mark stays.
  @Test(.enabled(if: hasTwo, "there is one file system only")) func noMarkStays() throws {
    let folder = URL(fileURLWithPath: "/dev/shm/ocd-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (real, link, _) = try strayed(in: folder)
    let coordinator = try Self.open(link)
    try coordinator.remove(coordinator.persistentStores[0])
    #expect(names(ExternalStorage.supportFolder(forStoreAt: real)) == ["_EXTERNAL_DATA"])
  }
}

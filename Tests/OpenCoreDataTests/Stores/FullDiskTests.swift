import CoreData
import Foundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// Disks without room: the error says so, nothing is lost, and the same save succeeds when there is room again.
@Suite struct FullDiskTests {
  private static let outOfSpace = CocoaError.Code.fileWriteOutOfSpace.rawValue

  /// A limit on the size of files belongs to the whole process, so it is set in one of its own.
  private static func setLimit(_ bytes: UInt) {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    limit.rlim_cur = min(bytes, limit.rlim_max)
    setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
  }

  @Test(arguments: ["WAL", "DELETE"]) func filesCannotGrow(mode: String) async throws {
    await #expect(processExitsWith: .success) { [mode = mode as String] in
      signal(SIGXFSZ, SIG_IGN)
      let url = try TestModel.temporaryFile()
      let coordinator = try Obstacle.store(url, pragmas: ["journal_mode": mode])
      let obstacle = try Obstacle(coordinator, bytes: 1 << 20)
      for size in [150_000, 400_000, 1_000_000] as [UInt] {
        Self.setLimit(size)
        try obstacle.fails(Self.outOfSpace, path: url.path)
      }
      Self.setLimit(.max)
      try obstacle.isGone(url)
    }
  }

  @Test func aStoreThatCannotBeMade() async throws {
    await #expect(processExitsWith: .success) {
      signal(SIGXFSZ, SIG_IGN)
      for size in [0, 1000, 9000, 33_000] as [UInt] {
        let url = try TestModel.temporaryFile()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.library())
        func add() throws {
          try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url)
        }
        Self.setLimit(size)
        let error = #expect(throws: NSError.self) { try add() }
        Self.setLimit(.max)
        #expect(error?.code == Self.outOfSpace, "\(size): \(String(describing: error))")
        #expect(error?.userInfo[NSFilePathErrorKey] as? String == url.path)
        try add()
        let count = try coordinator.inContext { try $0.all("Author").count }
        #expect(count == 0)
      }
    }
  }

  // MARK: A small file system

  /// A file system of 1 MiB in a new folder; nil where none can be mounted.
  private static func mounted() throws -> URL? {
    guard getuid() == 0, Shell.mount != nil else { return nil }
    let folder = try TestModel.temporaryFile("mount")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    guard (try? Shell.run(Shell.mount, ["-t", "tmpfs", "-o", "size=1m", "tmpfs", folder.path], expecting: nil)) != nil,
      FileIdentity(folder.path) != FileIdentity(folder.deletingLastPathComponent().path),
      let size = try FileManager.default.attributesOfFileSystem(forPath: folder.path)[.systemSize] as? NSNumber,
      size.intValue == 1 << 20
    else { return nil }
    return folder
  }

  private static let smallDisk = try? mounted()

  /// Empties a file before deleting it. Foundation lets programs inherit the files it opens: one that another test started while
  /// the file was written keeps a file that is only deleted on the disk until it ends.
  private func makeRoom(_ filler: URL) throws {
    try #require(truncate(filler.path, 0) == 0)
    try FileManager.default.removeItem(at: filler)
  }

  @Test(.enabled(if: smallDisk != nil, "a small file system cannot be mounted here")) func fullFileSystem() throws {
    let folder = try #require(Self.smallDisk)
    defer { _ = try? Shell.run(Shell.umount, ["-l", folder.path], expecting: nil) }
    let url = folder.appendingPathComponent("Store.sqlite")
    let coordinator = try Obstacle.store(url)
    let obstacle = try Obstacle(coordinator, bytes: 300_000)
    let filler = folder.appendingPathComponent("filler")
    // To the last byte, and with too little room.
    for room in [0, 100_000] {
      let free = try #require(
        FileManager.default.attributesOfFileSystem(forPath: folder.path)[.systemFreeSize] as? NSNumber)
      try Data(count: free.intValue - room).write(to: filler)
      try obstacle.fails(Self.outOfSpace, path: url.path)
      // A context that reads for the first time needs no room.
      let names = try coordinator.inContext { try $0.names("Author") }
      #expect(names == ["Ann", "Ben"])
      try makeRoom(filler)
    }
    try obstacle.isGone(url)
    try coordinator.remove(try #require(coordinator.persistentStores.first))
  }
}

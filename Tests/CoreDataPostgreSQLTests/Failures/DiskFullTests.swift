#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLTestServer
  import Testing

  @testable import CoreDataPostgreSQL

  /// The server's disk is full: its tables are in a small file system in memory, which only root can mount.
  @Suite(
    "A full disk", .needsServer, .serialized,
    .enabled(if: SmallDisk.canBeMounted, "no file system can be mounted here"))
  struct DiskFullTests {
    /// The save says why it failed and leaves nothing; fetches go on; when there is room again the same save succeeds.
    @Test func aSaveSaysThatThereIsNoRoom() throws {
      let disk = try SmallDisk(megabytes: 24)
      let server = try PostgreSQLServer()
      defer {
        try? server.stop(immediate: true)
        disk.unmount()
      }
      try disk.give(to: "postgres")
      _ = try server.values(of: "CREATE TABLESPACE small LOCATION '\(disk.path)'")
      _ = try server.values(of: "ALTER DATABASE postgres SET default_tablespace = 'small'")
      let world = try BatchWorld(BatchModels.products(), at: server.url()), context = world.context
      var saved = 0, failure: NSError?
      try context.performAndWait {
        while saved < 500, failure == nil {
          context.make("Product", ["tag": "\(saved)", "name": "n", "picture": Self.picture(saved)])
          do {
            try context.save()
            saved += 1
          } catch { failure = error as NSError }
        }
        #expect(failure?.domain == NSCocoaErrorDomain)
        #expect(failure?.code == CocoaError.Code.fileWriteOutOfSpace.rawValue, "\(String(describing: failure))")
        #expect(failure?.localizedDescription.contains("no room left") == true)
        #expect(saved > 10 && saved < 500)
        let count = try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Product"))
        #expect(count == saved + 1)
      }
      // A batch of rows that do not fit leaves nothing, either.
      let rows = (0..<200).map { ["tag": "batch", "name": "n", "picture": Self.picture($0)] as [String: Any] }
      let batch = #expect(throws: NSError.self) { try world.inContext { try $0.insertBatch("Product", rows) } }
      #expect(batch?.code == CocoaError.Code.fileWriteOutOfSpace.rawValue, "\(String(describing: batch))")
      #expect(try world.inContext { try $0.all("Product").count } == saved)
      try disk.grow(megabytes: 128)
      try context.performAndWait { try context.save() }
      #expect(try world.inContext { try $0.insertBatch("Product", rows) } == 200)
      try world.inContext { context in
        let found = try context.all("Product", "tag != 'batch'")
        #expect(found.count == saved + 1)
        for product in found {
          let number = Int(product.value(forKey: "tag") as? String ?? "") ?? -1
          #expect(product.value(forKey: "picture") as? Data == Self.picture(number))
        }
      }
    }

    /// Bytes that cannot be compressed.
    private static func picture(_ number: Int) -> Data {
      var random = SeededGenerator(seed: UInt64(number))
      return Data((0..<12_500).flatMap { _ in withUnsafeBytes(of: random.next()) { Array($0) } })
    }
  }

  /// A file system in memory.
  struct SmallDisk {
    let path: String

    static let canBeMounted: Bool = {
      guard getuid() == 0, let disk = try? SmallDisk(megabytes: 1) else { return false }
      disk.unmount()
      return true
    }()

    init(megabytes: Int) throws {
      path = "/tmp/small-disk-\(UUID().uuidString.prefix(8))"
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      do { try Self.run("mount", "-t", "tmpfs", "-o", "size=\(megabytes)m", "tmpfs", path) } catch {
        try? FileManager.default.removeItem(atPath: path)
        throw error
      }
    }

    func give(to owner: String) throws { try Self.run("chown", owner, path) }

    func grow(megabytes: Int) throws { try Self.run("mount", "-o", "remount,size=\(megabytes)m", path) }

    func unmount() {
      try? Self.run("umount", "-l", path)
      try? FileManager.default.removeItem(atPath: path)
    }

    private static func run(_ command: String...) throws {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = command
      process.standardError = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      if process.terminationStatus != 0 { throw CocoaError(.fileWriteUnknown) }
    }
  }
#endif

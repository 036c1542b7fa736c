import Foundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// Folders of a store's files that are moved to another file system.
@Suite struct MovingAcrossTests {
  /// Folders on two file systems, each with a folder `F`: the new one here, and an old one there.
  private struct Places {
    let here: URL, there: URL

    init() throws {
      here = try TestModel.temporaryFile("x").deletingLastPathComponent()
      there = URL(fileURLWithPath: "/dev/shm/ocd-\(UUID().uuidString)")
      for (place, byte, size) in [(here, UInt8(1), 400_000), (there, UInt8(2), 1000)] {
        let folder = place.appendingPathComponent("F/inner")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for number in 0..<20 {
          try Data(repeating: byte, count: size).write(to: folder.appendingPathComponent("\(number)"))
        }
      }
    }

    init(here: String, there: String) {
      (self.here, self.there) = (URL(fileURLWithPath: here), URL(fileURLWithPath: there))
    }

    func remove() { for place in [here, there] { try? FileManager.default.removeItem(at: place) } }

    func names(_ place: URL) -> Set<String> {
      Set((try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? [])
    }

    /// Whether a place has all the files of the new folder or the old one, under any name.
    func isWhole(_ place: URL, _ byte: UInt8, _ size: Int) -> Bool {
      names(place).contains { name in
        (0..<20).allSatisfy {
          let data = try? Data(contentsOf: place.appendingPathComponent("\(name)/inner/\($0)"))
          return data == Data(repeating: byte, count: size)
        }
      }
    }
  }

  private static let hasTwo: Bool = {
    var (one, two) = (stat(), stat())
    return stat("/dev/shm", &one) == 0 && stat(FileManager.default.temporaryDirectory.path, &two) == 0
      && one.st_dev != two.st_dev && access("/dev/shm", W_OK) == 0
  }()

  @Test(.enabled(if: hasTwo, "there is one file system only")) func aFolderTakesThePlaceOfAnother() throws {
    let places = try Places()
    defer { places.remove() }
    try FolderHandle(places.here.path).moveAll("F", to: FolderHandle(places.there.path))
    #expect(places.names(places.here) == [] && places.names(places.there) == ["F"])
    #expect(places.isWhole(places.there, 1, 400_000))
    // Over a file, and a file over a folder.
    try Data([3]).write(to: places.here.appendingPathComponent("F"))
    try FolderHandle(places.here.path).moveAll("F", to: FolderHandle(places.there.path))
    #expect(try Data(contentsOf: places.there.appendingPathComponent("F")) == Data([3]))
    #expect(places.names(places.here) == [] && places.names(places.there) == ["F"])
  }

  /// At each moment the new folder is whole in the one place or the other, and the old one until the new one is there.
  @Test(.enabled(if: hasTwo, "there is one file system only")) func aKillLosesNothing() async throws {
    for round in 0..<3 {
      let places = try Places()
      defer { places.remove() }
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [here = places.here.path as String, there = places.there.path as String, round = round as Int] in
        let places = Places(here: here, there: there)
        // Killed when the first file there comes or goes, when there is a number of files, or at the end.
        Thread.detachNewThread {
          func count(_ place: URL) -> Int {
            (try? FileManager.default.subpathsOfDirectory(atPath: place.path).count) ?? 0
          }
          let before = count(places.there)
          while round == 0 ? count(places.there) == before : count(places.there) < before + 10 {}
          kill(getpid(), SIGKILL)
        }
        try FolderHandle(here).moveAll("F", to: FolderHandle(there))
        kill(getpid(), SIGKILL)
      }
      let isThere = places.isWhole(places.there, 1, 400_000)
      #expect(isThere || places.isWhole(places.here, 1, 400_000) && places.isWhole(places.there, 2, 1000))
    }
  }
}

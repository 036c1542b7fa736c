import CoreData
import Foundation
import Hummingbird
import Testing

@testable import StudioServer

/// A disk without room gives a page that says so, and nothing is lost.
@Suite(.enabled(if: SmallDisk.isPossible, "only root may mount a small disk")) struct FullDiskTests {
  @Test func aSaveThatFindsNoRoomKeepsTheChanges() async throws {
    let sample = try LibraryStore()
    let disk = try SmallDisk(kilobytes: 1_024)
    let url = disk.folder.appendingPathComponent("Library.sqlite")
    for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: sample.url.path + suffix) {
      try FileManager.default.copyItem(atPath: sample.url.path + suffix, toPath: url.path + suffix)
    }
    let path = "/stores/Library.sqlite/objects/\(try sample.path(of: "Book 1.1"))"
    try await Visitor.visit(.of(url, writes: true)) { visitor in
      let visit = EditVisit(visitor: visitor, store: sample)
      let text = String(repeating: "many words ", count: 20_000)
      let answer = try await visit.send(path + "/edit", ["v:summary": text, "n:summary": nil])
      #expect(answer.status == .seeOther, "\(answer.text)")
      try disk.fill()
      let refused = try await visit.act("save")
      #expect(refused.status.code >= 400 && refused.text.contains("class=\"failure\""), "\(refused.status)")
      #expect(try await visitor.get(EditVisit.changes).text.contains("Changes (1)"))
      try disk.free()
      #expect(try await visit.act("save").headers[.location]?.contains("saved") == true)
      #expect(try await visitor.get(path).text.contains("many words many words"))
    }
    withExtendedLifetime(disk) {}
  }
}

/// A disk of some kilobytes, in memory.
final class SmallDisk: Sendable {
  let folder: URL

  static let isPossible = geteuid() == 0 && (try? SmallDisk(kilobytes: 64)) != nil

  init(kilobytes: Int) throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("studio-disk-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Self.run("mount", "-t", "tmpfs", "-o", "size=\(kilobytes)k", "tmpfs", folder.path)
  }

  deinit {
    try? Self.run("umount", "-l", folder.path)
    try? FileManager.default.removeItem(at: folder)
  }

  /// Takes all the room that there is.
  func fill() throws {
    let file = folder.appendingPathComponent("filling")
    try Data().write(to: file)
    let handle = try FileHandle(forWritingTo: file)
    let piece = Data(count: 4_096)
    while (try? handle.write(contentsOf: piece)) != nil {}
    try? handle.close()
  }

  /// Empties the file before deleting it: a program that inherited it while it was open would keep it on the disk.
  func free() throws {
    let file = folder.appendingPathComponent("filling")
    guard truncate(file.path, 0) == 0 else { throw CocoaError(.fileWriteUnknown) }
    try FileManager.default.removeItem(at: file)
  }

  private static func run(_ command: String...) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw CocoaError(.featureUnsupported) }
  }
}

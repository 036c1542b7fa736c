import Foundation
import Testing

/// With few file descriptors a program ends with an error, whichever of its steps finds none: it is not stopped.
///
/// Only a new process shows what the first use of a thing does.
@Suite struct DescriptorLimitTests {
  @Test func anyNumberOfDescriptors() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "DescriptorLimitTests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let tool = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
      .appending(path: "coredata").path
    var statuses: [Int32] = []
    for limit in [4, 6, 8, 9, 10, 11, 12, 14, 32] {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/bin/sh")
      process.arguments = [
        "-c", "ulimit -n \(limit); exec \"$0\" \"$@\" >/dev/null 2>&1", tool, "tune", "--people", "2", "--selfies", "2",
        "--networks", "2", "--store", folder.appending(path: "\(limit).sqlite").path,
      ]
      try process.run()
      process.waitUntilExit()
      #expect(process.terminationReason == .exit, "with \(limit) descriptors: signal \(process.terminationStatus)")
      statuses.append(process.terminationStatus)
    }
    #expect(statuses.last == 0)
  }
}

import Foundation
import Testing

@testable import SeedServer

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The server of files, as a process of its own, as a user starts it.
@Suite struct SeedServerTests {
  private func ask(_ address: String, _ path: String, range: String? = nil) async throws -> (HTTPURLResponse, Data) {
    var request = URLRequest(url: try #require(URL(string: address + path)), timeoutInterval: 3600)
    if let range { request.setValue(range, forHTTPHeaderField: "Range") }
    let (data, response) = try await URLSession.shared.data(for: request)
    return (try #require(response as? HTTPURLResponse), data)
  }

  @Test func partsOfAFileAreServedUntilTheServerIsToldToEnd() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "SeedServer-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder.appending(path: "below"), withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let seed = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 / 7) })
    try seed.write(to: folder.appending(path: "Seed.sqlite"))
    for hidden in [".hidden", "below/Seed.sqlite"] { try seed.write(to: folder.appending(path: hidden)) }

    let server = try RunningServer(folder)
    defer { server.process.terminate() }
    let (whole, bytes) = try await ask(server.address, "Seed.sqlite")
    #expect(whole.statusCode == 200 && bytes == seed)
    #expect(whole.value(forHTTPHeaderField: "Accept-Ranges") == "bytes")
    for (range, first, last) in [("bytes=250000-", 250_000, 299_999), ("bytes=10-19", 10, 19)] {
      let (part, bytes) = try await ask(server.address, "Seed.sqlite", range: range)
      #expect(part.statusCode == 206 && bytes == seed[first...last], "\(range)")
      #expect(part.value(forHTTPHeaderField: "Content-Range") == "bytes \(first)-\(last)/300000")
    }
    let (beyond, none) = try await ask(server.address, "Seed.sqlite", range: "bytes=300000-")
    #expect(beyond.statusCode == 416 && none.isEmpty)
    #expect(beyond.value(forHTTPHeaderField: "Content-Range") == "bytes */300000")
    // What the server does not understand of ranges, it leaves out.
    for range in ["bytes=-10", "bytes=1-2,5-6", "bytes=9-3", "pages=1-2"] {
      let (answer, bytes) = try await ask(server.address, "Seed.sqlite", range: range)
      #expect(answer.statusCode == 200 && bytes.count == 300_000, "\(range)")
    }
    for path in [
      "", "nothing", ".hidden", "below", "below/Seed.sqlite", "%2E%2E/\(folder.lastPathComponent)/Seed.sqlite",
    ] {
      #expect(try await ask(server.address, path).0.statusCode == 404, "\(path)")
    }
    server.process.terminate()
    server.process.waitUntilExit()
    #expect(server.process.terminationReason == .exit && server.process.terminationStatus == 0)
  }

  @Test func aFolderThatIsNotThereIsSaid() {
    #expect(throws: (any Error).self) { try SeedServerCommand.parse(["--folder", "/nothing/of/that/name"]) }
    #expect(throws: (any Error).self) { try SeedServerCommand.parse(["--folder", "/tmp", "--port", "70000"]) }
  }
}

/// The program, whose address it prints.
private struct RunningServer {
  let process = Process()
  let address: String

  init(_ folder: URL) throws {
    // The package manager puts programs beside the tests.
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent().appending(path: "SeedServer")
    process.arguments = ["--folder", folder.path, "--port", "0"]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    var line = Data()
    while line.last != UInt8(ascii: "\n") {
      guard let byte = try output.fileHandleForReading.read(upToCount: 1), !byte.isEmpty else { break }
      line += byte
    }
    address = String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    try #require(address.hasPrefix("http://"))
  }
}

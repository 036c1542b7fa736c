import Foundation
import Testing
import ToolProcess

@testable import UFOSightings

/// A seed that is fetched over HTTP while the program is open.
@Suite struct FetchedSeedTests {
  /// A server's folder and a user's.
  private struct Place {
    let server: URL
    let user: URL

    func make(_ count: Int) throws -> Int {
      let seed = server.appending(path: "Seed.sqlite")
      let tool = try Tool(
        program: "UFOSightings", ["--count", "\(count)", "--make-seed", seed.path, "--for-server", "--json"])
      #expect(tool.status == 0, "\(tool.errors)")
      return try SeedManifest.size(of: seed)
    }

    func run(_ server: SeedTestServer, _ arguments: String...) throws -> Tool {
      try Tool(
        program: "UFOSightings",
        ["--fetch", server.address("Seed.json"), "--folder", user.path, "--search", "m", "--json"] + arguments)
    }

    func report(_ server: SeedTestServer, _ arguments: String...) throws -> Report.Fetching {
      let tool = try Tool(
        program: "UFOSightings",
        ["--fetch", server.address("Seed.json"), "--folder", user.path, "--search", "m", "--json"] + arguments)
      #expect(tool.status == 0, "\(tool.errors)")
      return try #require(JSONDecoder().decode(Report.self, from: Data(tool.output.utf8)).fetching)
    }

    var files: [String] { (try? FileManager.default.contentsOfDirectory(atPath: user.path))?.sorted() ?? [] }
  }

  private func inPlace(_ body: (Place) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "FetchedSeedTests-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let place = Place(server: folder.appending(path: "server"), user: folder.appending(path: "user"))
    for each in [place.server, place.user] {
      try FileManager.default.createDirectory(at: each, withIntermediateDirectories: true)
    }
    try body(place)
  }

  @Test func aSeedIsInstalledAndReplacedAndOwnObjectsStay() throws {
    try inPlace { place in
      let size = try place.make(300)
      let server = try SeedTestServer(place.server)
      defer { server.stop() }
      let first = try place.report(server, "--mark", "seen by me")
      #expect(first.outcome == .installed && first.before == 0 && first.after == 300)
      #expect(first.received == size && first.kept == 0 && first.resumed == 0)
      let marked = try #require(first.marks.first)
      #expect(first.marks.count == 1 && marked.text == "seen by me" && marked.place != nil)

      let second = try place.report(server)
      #expect(second.outcome == .isCurrent && second.before == 300 && second.after == 300 && second.marks == [marked])
      #expect(server.requests.count == 1)

      _ = try place.make(500)
      let third = try place.report(server, "--mark", "again")
      #expect(third.outcome == .replaced && third.before == 300 && third.after == 500)
      #expect(third.marks.map(\.text) == ["seen by me", "again"] && third.marks.first == marked)
      #expect(third.marks.allSatisfy { $0.place != nil })
      let shipped = place.files.filter { $0.hasPrefix("Shipped-") }
      #expect(shipped.count == 1 && !place.files.contains { $0.hasPrefix("Seed.download") }, "\(place.files)")
    }
  }

  @Test func anInterruptedDownloadGoesOn() throws {
    try inPlace { place in
      let size = try place.make(400)
      // Twice in one run, after a server that is overloaded.
      let server = try SeedTestServer(place.server, [.status(503), .cut(after: 10_000), .cut(after: 20_000)])
      defer { server.stop() }
      let report = try place.report(server)
      #expect(report.outcome == .installed && report.after == 400 && report.resumed == 3 && report.received == size)
      #expect(server.requests.map(\.start) == [0, 0, 10_000, 30_000])
    }
  }

  @Test func aLaterRunGoesOnWhereOneHasEnded() throws {
    try inPlace { place in
      let size = try place.make(400)
      let server = try SeedTestServer(place.server)
      defer { server.stop() }
      let stopped = try place.run(server, "--stop-after", "40000")
      #expect(
        stopped.status == 1 && stopped.errors.contains("stopped after 40000 of \(size) bytes"), "\(stopped.errors)")
      let report = try place.report(server)
      #expect(report.outcome == .installed && report.kept == 40_000 && report.received == size - 40_000)
      #expect(report.after == 400 && server.requests.map(\.start) == [0, 40_000])
    }
  }

  @Test func theRestOfAnotherSeedIsNotTaken() throws {
    try inPlace { place in
      _ = try place.make(400)
      let server = try SeedTestServer(place.server)
      defer { server.stop() }
      _ = try place.run(server, "--stop-after", "40000")
      let size = try place.make(350)
      let report = try place.report(server)
      #expect(report.kept == 0 && report.received == size && report.after == 350)
    }
  }

  @Test func aServerThatSendsTheWholeInPlaceOfAPartIsUnderstood() throws {
    try inPlace { place in
      let size = try place.make(400)
      let server = try SeedTestServer(place.server, [.cut(after: 10_000), .whole])
      defer { server.stop() }
      let report = try place.report(server)
      #expect(report.received == size && report.after == 400 && server.requests.map(\.start) == [0, 10_000])
    }
  }

  @Test func wrongBytesAreNotInstalled() throws {
    try inPlace { place in
      _ = try place.make(300)
      let server = try SeedTestServer(place.server)
      defer { server.stop() }
      let good = try place.report(server, "--mark", "mine")
      _ = try place.make(320)
      let seed = place.server.appending(path: "Seed.sqlite")
      var bytes = try Data(contentsOf: seed)
      bytes[bytes.count / 2] ^= 1
      try bytes.write(to: seed)
      let report = try place.report(server)
      #expect(report.outcome == .failed && report.failure?.contains("SHA-256") == true)
      #expect(report.before == 300 && report.after == 300 && report.marks == good.marks)
      // The next run begins from nothing.
      let size = try place.make(330)
      let next = try place.report(server)
      #expect(next.outcome == .replaced && next.kept == 0 && next.received == size && next.after == 330)
    }
  }

  @Test func anOlderSeedAndAnotherStoreAreNotTaken() throws {
    try inPlace { place in
      let manifest = place.server.appending(path: "Seed.json")
      _ = try place.make(200)
      let old = try (Data(contentsOf: manifest), Data(contentsOf: place.server.appending(path: "Seed.sqlite")))
      _ = try place.make(300)
      let server = try SeedTestServer(place.server)
      defer { server.stop() }
      #expect(try place.report(server).after == 300)
      try old.0.write(to: manifest)
      try old.1.write(to: place.server.appending(path: "Seed.sqlite"))
      #expect(try place.report(server).outcome == .isCurrent)

      let text = place.server.appending(path: "Seed.sqlite")
      try Data("no store at all, but long enough to be looked at as one".utf8).write(to: text)
      try SeedManifest(of: text).data().write(to: manifest)
      let report = try place.report(server)
      #expect(report.outcome == .failed && report.failure?.contains("no store") == true && report.after == 300)
    }
  }

  @Test func aServerThatIsAwayStopsNoProgramThatHasASeed() throws {
    try inPlace { place in
      _ = try place.make(200)
      let server = try SeedTestServer(place.server)
      #expect(try place.report(server).after == 200)
      server.stop()
      let report = try place.report(server, "--mark", "offline")
      #expect(report.outcome == .failed && report.after == 200 && report.marks.map(\.text) == ["offline"])
    }
  }

  @Test func manifestsAreChecked() {
    func failure(_ json: String) -> String {
      do {
        _ = try SeedManifest(reading: Data(json.utf8), from: "Seed.json")
        return ""
      } catch { return "\(error)" }
    }
    let rest = "\"size\": 5, \"digest\": \"00\", \"made\": 0"
    #expect(failure("{\"file\": \"Seed.sqlite\", \(rest)}") == "")
    #expect(failure("{\"file\": \"../Seed.sqlite\", \(rest)}").contains("a name without a folder"))
    #expect(failure("{\"file\": \"x?y\", \(rest)}").contains("a name without a folder"))
    #expect(failure("{\(rest)}").contains("no manifest"))
    #expect(failure("{\"file\": \"a\", \"size\": 0, \"digest\": \"\", \"made\": 0}").contains("0 bytes"))
  }

  @Test func wrongArgumentsAreExplained() throws {
    for (arguments, part) in [
      (["--fetch", "http://127.0.0.1:1/Seed.json"], "--fetch needs --folder"),
      (["--fetch", "Seed.json", "--folder", "/tmp/none"], "--fetch must be an address"),
      (["--mark", "x"], "need --fetch"), (["--for-server"], "needs --make-seed"),
    ] {
      let tool = try Tool(program: "UFOSightings", arguments)
      #expect(tool.status == 64 && tool.errors.contains(part), "\(tool.errors)")
    }
  }
}

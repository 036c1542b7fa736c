import Foundation
import Hummingbird
import Testing

@testable import StudioServer

/// A store is verified from its page.
@Suite struct VerificationTests {
  /// The program that damages stores.
  private static let hasSQLite =
    ["/usr/bin/sqlite3", "/usr/local/bin/sqlite3"].first { FileManager.default.isExecutableFile(atPath: $0) }

  @Test(.enabled(if: hasSQLite != nil, "sqlite3 is not installed"))
  func whatIsFoundLeadsToItsObject() async throws {
    let store = try SampleStore(people: 5)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(Self.hasSQLite))
    process.arguments = [store.url.path, "UPDATE ZPERSON SET ZFRIEND = 9999 WHERE Z_PK = 3"]
    try process.run()
    process.waitUntilExit()
    try await Visitor.visit(.of(store.url)) { visitor in
      let overview = try await visitor.get("/stores/People.sqlite")
      let answer = try await visitor.post("/stores/People.sqlite/verify", [], token: visitor.token(of: overview))
      let report = try await visitor.result(of: answer)
      #expect(
        report.text.contains("class=\"failure\"") && !report.text.contains("The store is sound"), "\(report.text)")
      let link = try #require(report.text.firstMatch(of: /href="([^"]*objects\/Person\/p3)"/)?.1, "\(report.text)")
      #expect(try await visitor.get(String(link)).status == .ok)
    }
  }

  @Test func aSoundStoreIsSaidToBe() async throws {
    let store = try SampleStore(people: 5)
    let before = try store.contents()
    try await Visitor.visit(.of(store.url)) { visitor in
      let overview = try await visitor.get("/stores/People.sqlite")
      let answer = try await visitor.post("/stores/People.sqlite/verify", [], token: visitor.token(of: overview))
      #expect(try await visitor.result(of: answer).text.contains("The store is sound"))
    }
    #expect(try store.contents() == before)
  }
}

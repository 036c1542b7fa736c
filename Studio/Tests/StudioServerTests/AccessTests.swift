import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing

@testable import StudioServer

/// Nobody without the key sees anything, and no other site's page can make a browser ask.
@Suite struct AccessTests {
  private func withClient(_ body: @escaping @Sendable (any TestClientProtocol, StudioApplication) async throws -> Void)
    async throws
  {
    let store = try SampleStore(people: 3)
    let application = try StudioApplication(.of(store.url))
    try await application.server().test(.live) { try await body($0, application) }
    withExtendedLifetime(store) {}
  }

  @Test func withoutTheKeyNothingIsTold() async throws {
    try await withClient { client, _ in
      for path in ["/", "/stores/People.sqlite", "/assets/1/studio.css", "/nothing", "/enter", "/enter?key=wrong"] {
        let answer = try await client.execute(uri: path, method: .get)
        #expect(answer.status == .unauthorized, "\(path)")
        #expect(!String(buffer: answer.body).contains("People"), "\(path)")
        #expect(answer.headers[.setCookie] == nil)
      }
    }
  }

  @Test func theKeyBecomesACookieThatScriptsAndOtherSitesDoNotGet() async throws {
    try await withClient { client, application in
      let query = try #require(URLComponents(string: application.address(port: 1))?.percentEncodedQuery)
      let answer = try await client.execute(uri: "/enter?\(query)", method: .get)
      let cookie = try #require(answer.headers[.setCookie])
      #expect(answer.status == .seeOther)
      #expect(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"))
      // The key is in no address that a page could tell another site.
      #expect(answer.headers[.location] == "/")
    }
  }

  @Test func keysDifferFromStartToStart() throws {
    let keys = (0..<50).map { _ in AccessKey() }
    #expect(Set(keys.flatMap { [$0.text, $0.formToken] }).count == 100)
    #expect(
      keys.allSatisfy { $0.text.count == 43 && $0.matches($0.text) && !$0.matches($0.formToken) && !$0.matches("") })
  }

  @Test func otherHostsAndOriginsAreRefused() async throws {
    let store = try SampleStore(people: 3)
    try await Visitor.visit(.of(store.url)) { visitor in
      let page = try await visitor.get("/stores/People.sqlite")
      #expect(page.status == .ok)
      let foreign: HTTPFields = [.origin: "http://evil.example"]
      #expect(try await visitor.get("/stores/People.sqlite", foreign).status == .forbidden)
      let site: HTTPFields = [HTTPField.Name("Sec-Fetch-Site")!: "cross-site"]
      #expect(try await visitor.get("/stores/People.sqlite", site).status == .forbidden)
    }
    let hosts = AllowedHosts("127.0.0.1")
    for good in ["127.0.0.1:80", "localhost:8080", "[::1]:1", "LOCALHOST", "127.0.0.1"] { #expect(hosts.allows(good)) }
    for bad in ["evil.example", "127.0.0.1.evil.example:80", "localhost.evil:80", "", "[::2]:1"] {
      #expect(!hosts.allows(bad), "\(bad)")
    }
    #expect(!hosts.allows(nil))
  }

  /// Listening at every address, it is reached by the machine's name and addresses, but by no name of somebody else's.
  @Test func aStudioForOthersIsReachedByTheMachinesNameAndAddresses() {
    let hosts = AllowedHosts("0.0.0.0", machine: "Server.local")
    for good in ["server.local:8080", "192.168.1.7:80", "10.0.0.1", "[fe80::1]:80", "localhost:1"] {
      #expect(hosts.allows(good), "\(good)")
    }
    for bad in ["evil.example", "192.168.1.7.evil.example:80", "192.168.1", "[evil]:80", ""] {
      #expect(!hosts.allows(bad), "\(bad)")
    }
    #expect(AllowedHosts.reachable("0.0.0.0", machine: "Server.local") == "Server.local")
    let one = AllowedHosts("192.168.1.7", machine: "Server.local")
    #expect(one.allows("192.168.1.7:80") && !one.allows("192.168.1.8:80") && !one.allows("server.local"))
    #expect(AllowedHosts.reachable("::1") == "[::1]")
  }

  @Test func formsNeedTheirToken() async throws {
    let store = try SampleStore(people: 3)
    try await Visitor.visit(.of(store.url)) { visitor in
      for token in [nil, "", "x"] {
        let answer = try await visitor.post("/stores/People.sqlite/verify", [], token: token)
        #expect(answer.status == .forbidden)
      }
    }
  }

  @Test func everyAnswerHasThePolicyAndNoPageHasAScriptInIt() async throws {
    let store = try SampleStore(people: 3)
    try await Visitor.visit(.of(store.url)) { visitor in
      for path in ["/stores/People.sqlite", "/nothing", "/stores/People.sqlite/entities/Person", "/stores/Other"] {
        let answer = try await visitor.get(path)
        let policy = try #require(answer.headers[.contentSecurityPolicy], "\(path)")
        #expect(policy.contains("script-src 'self';") && policy.contains("frame-ancestors 'none'"))
        #expect(answer.headers[.xContentTypeOptions] == "nosniff")
        // Tells other sites nothing, and lets the studio's own forms have an origin.
        #expect(answer.headers[HTTPField.Name("Referrer-Policy")!] == "same-origin")
        #expect(answer.text.firstMatch(of: /<script(?![^>]* src=)/) == nil, "\(path)")
        #expect(answer.text.firstMatch(of: /\son[a-z]+="/) == nil, "\(path)")
      }
    }
  }

  @Test func pathsLeadToNoFile() async throws {
    let store = try SampleStore(people: 3)
    try await Visitor.visit(.of(store.url)) { visitor in
      for path in [
        "/assets/1/..%2F..%2FPackage.swift", "/assets/1/%2Fetc%2Fpasswd", "/stores/..%2FPeople.sqlite",
        "/stores/%2Fetc",
        "/../etc/passwd", "/stores/People.sqlite/objects/Person/..",
      ] {
        let answer = try await visitor.get(path)
        #expect(answer.status == .notFound, "\(path)")
        #expect(!answer.text.contains("root:"))
      }
    }
  }
}

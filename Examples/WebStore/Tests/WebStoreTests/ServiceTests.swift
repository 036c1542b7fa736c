import CoreData
import Foundation
import Synchronization
import Testing
import WebProtocol

@testable import WebClient
@testable import WebService

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The service by plain HTTP, with what no store of ours would send.
@Suite struct ServiceTests {
  private func ask(
    _ world: World, _ method: String, _ path: String, _ body: String? = nil, headers: [String: String] = [:]
  ) async throws -> (status: Int, text: String) {
    let url = try #require(URL(string: "http://127.0.0.1:\(world.service.port)\(path)"))
    var request = URLRequest(url: url, timeoutInterval: 3600)
    request.httpMethod = method
    request.httpBody = body.map { Data($0.utf8) }
    if body != nil { request.setValue("application/json", forHTTPHeaderField: "Content-Type") }
    for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
    let (data, response) = try await URLSession.shared.data(for: request)
    return ((response as? HTTPURLResponse)?.statusCode ?? 0, String(decoding: data, as: UTF8.self))
  }

  private static func query(_ predicate: String) -> String { "{\"entity\": \"Book\", \"predicate\": \(predicate)}" }

  private static func save(_ changes: String) -> String { "{\"request\": \"\(UUID().uuidString)\", \(changes)}" }

  @Test func badInputIsRefusedInWords() async throws {
    var limits = ServedStore.Limits()
    (limits.told.pageSize, limits.told.bodySize, limits.told.ids) = (10, 20_000, 50)
    try await World.withSteps(limits: limits) { world in
      try await onThread { try world.stack().fill(2) }
      let deep = String(repeating: "{\"not\": ", count: 100) + "{\"always\": true}" + String(repeating: "}", count: 100)
      let none = "\"inserted\": [], \"updated\": [], \"deleted\": [], \"locked\": []"
      for (path, body, status, words) in [
        ("/query", "{", 400, "cannot be read"), ("/query", "{}", 400, "“entity” is missing"),
        ("/query", "{\"entity\": \"Nothing\"}", 400, "no entity “Nothing”"),
        ("/query", "{\"entity\": \"Book\", \"limit\": \"x\"}", 400, "limit is no Int"),
        ("/query", "{\"entity\": \"Book\", \"limit\": -1}", 400, "not below 0"),
        ("/query", "{\"entity\": \"Book\", \"include\": [\"nobody\"]}", 400, "no relationship “nobody”"),
        ("/query", "{\"entity\": \"Book\", \"sort\": [{\"key\": \"nothing\", \"ascending\": true}]}", 400, "nothing"),
        (
          "/query",
          "{\"entity\": \"Book\", \"sort\": [{\"key\": \"title\", \"ascending\": true, \"selector\": \"x:\"}]}", 400,
          "no comparison"
        ),
        (
          "/query",
          Self.query("{\"op\": \"MATCHES\", \"left\": {\"key\": \"title\"}, \"right\": {\"string\": \"(a+)+$\"}}"), 400,
          "op is expected"
        ),
        (
          "/query", Self.query("{\"op\": \"==\", \"left\": {\"key\": \"nothing\"}, \"right\": {\"int\": 1}}"), 400,
          "nothing"
        ),
        (
          "/query", Self.query("{\"op\": \"==\", \"left\": {\"key\": \"a(b\"}, \"right\": {\"int\": 1}}"), 400,
          "key path"
        ),
        (
          "/query", Self.query("{\"op\": \"==\", \"left\": {\"key\": \"year\"}, \"right\": {\"date\": \"x\"}}"), 400,
          "wrong type"
        ),
        ("/query", Self.query("[]"), 400, "an object is expected"), ("/query", Self.query(deep), 400, "deeper than"),
        ("/query", "{\"entity\": \"\(String(repeating: "x", count: 30_000))\"}", 413, "more than 20000 bytes"),
        ("/objects", "{\"ids\": [\"Book\"]}", 400, "is no ID"),
        ("/objects", "{\"ids\": [\"Book/0\"]}", 400, "is no ID"),
        ("/objects", "{\"ids\": [\(Array(repeating: "\"Book/1\"", count: 11).joined(separator: ","))]}", 400, "11 IDs"),
        ("/ids", "{\"counts\": {\"Book\": 51}}", 400, "0 to 50"),
        ("/ids", "{\"counts\": {\"Book\": -1}}", 400, "0 to 50"),
        ("/ids", "{\"counts\": {\"Book\": 30, \"Author\": 30}}", 400, "60 IDs"),
        ("/save", "{\"request\": \"x\", \(none)}", 400, "UUID"),
        (
          "/save",
          Self.save("\"inserted\": [{\"id\": \"Book/900000\"}], \"updated\": [], \"deleted\": [], \"locked\": []"), 400,
          "given out no such ID"
        ),
        (
          "/save",
          Self.save(
            "\"inserted\": [], \"updated\": [{\"id\": \"Book/1\", \"version\": 1, \"values\": {\"title\": 7}}], \"deleted\": [], \"locked\": []"
          ), 400, "text is expected"
        ),
        (
          "/save",
          Self.save(
            "\"inserted\": [], \"updated\": [{\"id\": \"Book/1\", \"version\": 1, \"values\": {\"x\": 7}}], \"deleted\": [], \"locked\": []"
          ), 400, "no attribute “x”"
        ),
        (
          "/save",
          Self.save(
            "\"inserted\": [], \"updated\": [{\"id\": \"Book/1\", \"version\": 1, \"one\": {\"author\": \"Book/1\"}}], \"deleted\": [], \"locked\": []"
          ), 400, "wrong entity"
        ),
        (
          "/save",
          Self.save(
            "\"inserted\": [], \"updated\": [{\"id\": \"Book/1\", \"version\": 9, \"values\": {}}], \"deleted\": [], \"locked\": []"
          ), 409, "Others have changed"
        ),
      ] as [(String, String, Int, String)] {
        let answer = try await ask(world, "POST", path, body)
        let message = try JSONDecoder().decode(Failure.self, from: Data(answer.text.utf8)).message
        #expect(answer.status == status && message.contains(words), "\(path) \(body.prefix(80)): \(answer)")
      }
      #expect(try await ask(world, "GET", "/objects/Book/9999").status == 404)
      #expect(try await ask(world, "GET", "/objects/Book/1/author").status == 400)
      #expect(try await ask(world, "GET", "/pages/nothing").status == 410)
      #expect(try await ask(world, "GET", "/nothing").status == 404)
      #expect(try await ask(world, "POST", "/query", "{}", headers: ["Content-Type": "text/plain"]).status == 415)
      #expect(try await ask(world, "GET", "/store", headers: ["Host": "example.com"]).status == 403)
      // Nothing of all that was written.
      #expect(try await onThread { try world.stored("Book").count } == 4)
    }
  }

  /// A save is whole or not at all, and what it asked about before it came never comes.
  @Test func savesAreAtomicAndOnce() async throws {
    try await World.withSteps { world in
      let ids = try await ask(world, "POST", "/ids", "{\"counts\": {\"Author\": 2}}")
      let names = try #require(try JSONDecoder().decode(IDsAnswer.self, from: Data(ids.text.utf8)).ids["Author"])
      var message = SaveMessage(request: UUID().uuidString)
      message.inserted = names.map { SaveMessage.Change(id: $0, version: nil) }
      message.inserted[0].values = ["name": .string("Ada")]
      message.inserted[1].values = ["name": .null]
      func send() async throws -> Int {
        try await ask(world, "POST", "/save", String(decoding: JSONEncoder().encode(message), as: UTF8.self)).status
      }
      #expect(try await send() == 422)
      #expect(try await onThread { try world.stored("Author").count } == 0)
      message.inserted[1].values = ["name": .string("Grace")]
      for _ in 1...3 { #expect(try await send() == 200) }
      #expect(try await onThread { try world.stored("Author").count } == 2)
      #expect(try await ask(world, "GET", "/saves/\(message.request)").status == 200)
      message.request = UUID().uuidString
      #expect(try await send() == 409)
      let late = UUID().uuidString
      #expect(try await ask(world, "GET", "/saves/\(late)").status == 404)
      message.request = late
      #expect(try await send() == 410)
    }
  }
}

#if PostgreSQL
  import CoreData
  import Foundation
  import Testing

  @testable import CoreDataPostgreSQL

  /// The machine that libpq connects to in the end, where the URL does not say it. Each test sets variables of the environment,
  /// so it has a process of its own.
  @Suite("Destinations")
  struct ServerDestinationTests {
    /// Sets variables, connects, and returns what a server without encryption at 127.0.0.2 was sent. That address is not one of
    /// those that count as local.
    private static func sent(_ url: String, _ variables: (UInt16, URL) throws -> [String: String]) throws -> String {
      let server = try FalseServer(address: "127.0.0.2")
      let folder = FileManager.default.temporaryDirectory.appending(path: "ocd-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      for (name, value) in try variables(server.port, folder.appending(path: "services")) { setenv(name, value, 1) }
      let place = try ServerPlace(#require(URL(string: url.replacing("PORT", with: "\(server.port)"))))
      let error = #expect(throws: ServerError.self) { try ServerConnection(place, deadline: Patience.limit) }
      #expect(error?.isOfSettings == true, "\(error?.message ?? "no error")")
      return server.words
    }

    private static func service(_ text: String, _ file: URL) throws -> [String: String] {
      try Data("[far]\n\(text)\n".utf8).write(to: file)
      return ["PGSERVICEFILE": file.path]
    }

    @Test func anAddressOfTheEnvironmentIsAnotherMachine() async {
      await #expect(processExitsWith: .success) {
        let words = try Self.sent("postgresql://tests:secret@localhost:PORT/db") { _, _ in ["PGHOSTADDR": "127.0.0.2"] }
        #expect(!words.contains("secret"))
      }
    }

    @Test func aHostOfTheEnvironmentIsAnotherMachine() async {
      await #expect(processExitsWith: .success) {
        let words = try Self.sent("postgresql://tests:secret@/db?port=PORT") { _, _ in
          ["PGHOST": "127.0.0.2", "PGSSLMODE": "disable"]
        }
        #expect(!words.contains("secret"))
      }
    }

    @Test func aServicesHostIsAnotherMachine() async {
      await #expect(processExitsWith: .success) {
        let words = try Self.sent("postgresql://tests:secret@/db?port=PORT&service=far") {
          try Self.service("host=127.0.0.2", $1)
        }
        #expect(!words.contains("secret"))
      }
    }

    @Test func aServiceOfTheEnvironmentIsAnotherMachine() async {
      await #expect(processExitsWith: .success) {
        let words = try Self.sent("postgresql://tests:secret@localhost:PORT/db") {
          try Self.service("hostaddr=127.0.0.2", $1).merging(["PGSERVICE": "far"]) { $1 }
        }
        #expect(!words.contains("secret"))
      }
    }

    /// Whoever writes the file may say that the network is trusted.
    @Test func aServiceChoosesAMode() async {
      await #expect(processExitsWith: .success) {
        let server = try FalseServer(address: "127.0.0.2")
        let file = FileManager.default.temporaryDirectory.appending(path: "services-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        for (name, value) in try Self.service("host=127.0.0.2\nsslmode=disable", file) { setenv(name, value, 1) }
        let url = try #require(URL(string: "postgresql://tests:secret@/db?port=\(server.port)&service=far"))
        let error = #expect(throws: ServerError.self) {
          try ServerConnection(ServerPlace(url), deadline: Patience.limit)
        }
        #expect(server.words.contains("secret"), "\(error?.message ?? "no error")")
      }
    }

    /// Two services are two places as long as nobody has looked into their files.
    @Test func servicesAreToldApart() throws {
      func identity(_ text: String) throws -> String { try ServerPlace(#require(URL(string: text))).identity }
      let first = try identity("postgresql:///db?service=a")
      #expect(try first != identity("postgresql:///db?service=b"))
      #expect(try first == identity("postgresql:///db?service=a&application_name=x"))
    }
  }
#endif

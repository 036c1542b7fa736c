#if PostgreSQL
  import Foundation
  import Testing

  @testable import CoreDataPostgreSQL

  @Suite("Places")
  struct ServerPlaceTests {
    private func place(
      _ text: String, schema: String = "public", settings: [String: String] = [:], applicationName: String? = nil
    ) throws -> ServerPlace {
      let url = try #require(URL(string: text))
      return try ServerPlace(url, schema: schema, settings: settings, applicationName: applicationName)
    }

    @Test func whatIsAServersURL() throws {
      for (text, isServer) in [
        ("postgresql://host/db", true), ("postgres://host/db", true), ("PostgreSQL://host/db", true),
        ("postgresql:///db", true), ("file:///db", false), ("https://host/db", false), ("/tmp/db", false),
      ] {
        #expect(ServerPlace.isServer(try #require(URL(string: text))) == isServer, "\(text)")
      }
      #expect(throws: ServerPlaceError.self) { try place("file:///db") }
    }

    @Test func whatIsShownHasNoSecrets() throws {
      for (text, display) in [
        (
          "postgresql://user:secret@db.example.com:5433/photos?sslmode=disable",
          "postgresql://db.example.com:5433/photos"
        ),
        ("postgres://user:secret@db.example.com/photos", "postgresql://db.example.com/photos"),
        ("postgresql:///photos?host=a,b&port=1,2&password=secret&user=user", "postgresql://a:1,b:2/photos"),
        ("postgresql:///photos?host=a,b&port=7", "postgresql://a:7,b:7/photos"),
        ("postgresql://user@%2Ftmp%2Fsocket/photos", "postgresql://%2Ftmp%2Fsocket/photos"),
        ("postgresql://user@[::1]:5433/photos", "postgresql://[::1]:5433/photos"),
        ("postgresql://user@host", "postgresql://host/user"),
        ("PostgreSQL://user@host/photos", "postgresql://host/photos"),
      ] {
        #expect(try place(text).display == display)
      }
      let wrong = "postgresql://user:sec%ret@host/photos?passwrd=secret"
      let error = #expect(throws: ServerPlaceError.self) { try place(wrong) }
      #expect(error?.message.contains("sec") == false)
    }

    @Test func whatIsTheSamePlace() throws {
      let first = try place("postgresql://a:x@LOCALHOST/photos").identity
      for text in [
        "postgres://b@localhost:5432/photos", "postgresql://127.0.0.1/photos?user=c", "postgresql://[::1]/photos",
        "postgresql://localhost/photos?application_name=x",
      ] {
        #expect(try place(text).identity == first, "\(text)")
      }
      for text in ["postgresql://localhost:5433/photos", "postgresql://localhost/other", "postgresql://host/photos"] {
        #expect(try place(text).identity != first, "\(text)")
      }
      #expect(try place("postgresql://localhost/photos", schema: "s").identity != first)
      #expect(
        try place("postgresql:///d?host=b,a&port=2,1").identity == place("postgresql:///d?host=a,b&port=1,2").identity)
    }

    @Test func anotherMachineMustProveItsName() throws {
      for text in [
        "postgresql://db.example.com/photos", "postgresql://10.0.0.1/photos", "postgresql:///photos?host=/tmp,other",
        "postgresql://localhost/photos?hostaddr=10.0.0.1",
      ] {
        #expect(try place(text).connectionWords()["sslmode"] == "verify-full", "\(text)")
      }
      for text in [
        "postgresql://localhost/photos", "postgresql://127.0.0.1/photos", "postgresql://[::1]/photos",
        "postgresql://%2Ftmp/photos", "postgresql:///photos",
      ] {
        #expect(try place(text).connectionWords()["sslmode"] == nil, "\(text)")
      }
      #expect(try place("postgresql://other/photos?sslmode=require").connectionWords()["sslmode"] == "require")
    }

    @Test func passwordsAreAskedForEachTime() throws {
      let url = try #require(URL(string: "postgresql://user:old@host/db"))
      #expect(try ServerPlace(url).connectionWords()["password"] == "old")
      #expect(try ServerPlace(url, password: { "new" }).connectionWords()["password"] == "new")
      #expect(try ServerPlace(url, password: { nil }).connectionWords()["password"] == "old")
      struct NoPassword: Error {}
      #expect(throws: NoPassword.self) {
        try ServerConnection(try ServerPlace(url, password: { throw NoPassword() }))
      }
    }

    @Test func settingsThatAreNone() {
      for name in ["", "a b", "a=b", "-c"] {
        #expect(throws: ServerPlaceError.self) { try place("postgresql:///db", settings: [name: "1"]) }
      }
      #expect(throws: ServerPlaceError.self) { try place("postgresql:///db", settings: ["a": "\0"]) }
      for schema in ["", "$user", "a\0b"] {
        #expect(throws: ServerPlaceError.self) { try place("postgresql:///db", schema: schema) }
      }
    }
  }

  @Suite("Settings of sessions", .needsServer)
  struct SessionSettingsTests {
    @Test(arguments: ["public", "a schema", "x\"y", "a,b", "back\\slash", "Grüße 😀", "tab\there", "$users"])
    func theSchemaIsTheOneThatIsNamed(name: String) throws {
      let quoted = "\"" + name.replacing("\"", with: "\"\"") + "\""
      let first = try ServerConnection.toTests(), table = "t_\(UUID().uuidString.prefix(8).lowercased())"
      try first.run("CREATE SCHEMA IF NOT EXISTS \(quoted)")
      try first.run("CREATE TABLE \(quoted).\(table) AS SELECT 1::int8")
      let url = first.place.words
      let place = try ServerPlace(
        try #require(URL(string: "postgresql:///\(url["dbname"] ?? "")?host=\(url["host"] ?? "")&user=tests")),
        schema: name, settings: ["lock_timeout": "1234ms", "app.note": "a b\\c  d"])
      let connection = try ServerConnection(place, deadline: Patience.limit)
      #expect(try connection.number("SELECT count(*) FROM \(table)") == 1)
      #expect(try connection.texts("SELECT current_schema()::text") == [name])
      #expect(try connection.texts("SHOW lock_timeout") == ["1234ms"])
      #expect(try connection.texts("SHOW app.note") == ["a b\\c  d"])
      try first.run("DROP TABLE \(quoted).\(table)")
    }

    @Test func optionsOfTheURLStay() throws {
      let first = try ServerConnection.toTests(), words = first.place.words
      let text = "postgresql:///postgres?host=\(words["host"] ?? "")&user=tests&options=-c%20lock_timeout%3D77ms"
      let place = try ServerPlace(try #require(URL(string: text)), settings: ["statement_timeout": "88s"])
      let connection = try ServerConnection(place, deadline: Patience.limit)
      #expect(try connection.texts("SHOW lock_timeout") == ["77ms"])
      #expect(try connection.texts("SHOW statement_timeout") == ["88s"])
    }
  }
#endif

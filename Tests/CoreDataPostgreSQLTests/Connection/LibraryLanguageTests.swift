#if PostgreSQL
  import CPostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLTestServer
  import Testing

  @testable import CoreDataPostgreSQL

  /// What libpq and the server say is told apart in programs that have a language, too.
  @Suite("The language of libpq")
  struct LibraryLanguageTests {
    /// Gives the program German, as far as libpq is translated on this machine.
    private static func setGerman() {
      setenv("LANGUAGE", "de", 1)
      // LANGUAGE counts in every locale but that of C; this one needs no files.
      _ = setlocale(LC_ALL, "C.UTF-8")
    }

    @Test func settingsAreRecognised() async {
      await #expect(processExitsWith: .success) {
        LibraryLanguageTests.setGerman()
        let server = try FalseServer(address: "127.0.0.1"), place = "127.0.0.1:\(server.port)/db"
        let cases = [
          ("tests:secret@\(place)?sslmode=require&sslrootcert=/nowhere/root.crt", "(option sslmode)"),
          ("tests:secret@\(place)?sslmode=verify-full&sslrootcert=/nowhere/root.crt", "(option ssl"),
          ("tests@\(place)?passfile=/nowhere/pgpass", "(option password)"),
          ("tests@\(place)?target_session_attrs=bogus", "target_session_attrs"),
          ("tests@\(place)?service=nosuch", "nosuch"),
        ]
        for (rest, name) in cases {
          let place = try ServerPlace(#require(URL(string: "postgresql://\(rest)")))
          let error = #expect(throws: ServerError.self) { try ServerConnection(place, deadline: Patience.limit) }
          #expect(
            error?.isOfSettings == true && error?.message.contains(name) == true, "\(rest): \(error?.message ?? "")")
        }
        // A server that is not there may come.
        let nobody = try ServerPlace(#require(URL(string: "postgresql:///db?host=/nowhere&user=tests")))
        let error = #expect(throws: ServerError.self) { try ServerConnection(nobody, deadline: Patience.limit) }
        #expect(error?.isOfSettings == false && error?.isConnectionLost == true, "\(error?.message ?? "")")
        exit(0)
      }
    }

    @Test func theLanguageIsTheProgramsAgain() async {
      await #expect(processExitsWith: .success) {
        LibraryLanguageTests.setGerman()
        func message() -> String {
          let handle = PQconnectdb("host=/nowhere user=tests")
          defer { PQfinish(handle) }
          return String(cString: PQerrorMessage(handle))
        }
        let before = message()
        let english = LibraryLanguage.english { message() }
        #expect(english.hasPrefix("connection to server"))
        // Where libpq has no German, the texts are the same.
        #expect(message() == before)
        struct Stop: Error {}
        #expect(throws: Stop.self) { try LibraryLanguage.english { throw Stop() } }
        #expect(message() == before)
        exit(0)
      }
    }

    /// The server's messages are in its language; where it does not tell the code alone, its source does.
    @Test(.needsServer) func aValueThatIsTooLongForAnIndexIsRecognised() throws {
      let server = try PostgreSQLServer.shared.get()
      let connection = try ServerConnection(ServerPlace(server.url()), deadline: Patience.limit)
      let error = #expect(throws: ServerError.self) {
        var flight = Flight()
        flight.add(ServerStatement("CREATE TEMPORARY TABLE long (words text)"))
        flight.add(ServerStatement("CREATE INDEX ON long (words)"))
        flight.add(
          ServerStatement("INSERT INTO long SELECT string_agg(md5(i::text), '') FROM generate_series(1, 1000) i"))
        try connection.run(flight, deadline: Patience.limit)
      }
      #expect(error?.isOfIndexRow == true, "\(error?.sourceFile ?? "")")
      var translated = try #require(error)
      translated.message = "Indexzeile ist zu lang"
      let text = translated.cocoaError(place: "a", isWriting: true).localizedDescription
      #expect(text.contains("too long for the index"), "\(text)")
      translated.sourceFile = "parse_expr.c"
      #expect(!translated.isOfIndexRow)
    }
  }
#endif

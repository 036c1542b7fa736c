#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLTestServer
  import Testing
  import ToolProcess

  /// `coredata migrate` with a store in a PostgreSQL server.
  @Suite(.enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed"))
  struct ServerMigrateTests {
    /// The ordinary versions, with a store of the first one in a schema.
    private func make() throws -> (folder: ModelFolder, store: String, schema: String) {
      let (folder, file) = try Library.full()
      let url = try TestPlace.new()
      let copy = try Tool("store", "copy", file, url.absoluteString)
      #expect(copy.status == 0, "\(copy.errors)")
      let schema = URLComponents(url: url, resolvingAgainstBaseURL: true)?.queryItems?.first?.value
      return (folder, url.absoluteString, try #require(schema))
    }

    private func values(_ query: String) throws -> [String] { try PostgreSQLServer.shared.get().values(of: query) }

    private func schemas(_ name: String) throws -> [String] {
      try values("SELECT nspname FROM pg_namespace WHERE starts_with(nspname, '\(name)') ORDER BY 1")
    }

    @Test func thePlanAndTheRehearsalChangeNothing() throws {
      let (folder, store, schema) = try make()
      let plan = try Tool("migrate", store, "--to", folder.model, "--version", "Library 2", "--plan")
      #expect(plan.status == 0 && plan.errors.isEmpty, "\(plan.errors)")
      #expect(plan.output.contains("(PostgreSQL)\n"))
      #expect(plan.output.contains("  Book: transformed, table Book altered, 3 objects\n"))
      #expect(plan.output.contains("done in place, in one transaction."))
      #expect(plan.output.contains("ALTER TABLE \"Book\" RENAME COLUMN \"title\" TO \"name\";"), "\(plan.output)")
      let rehearsal = try Tool("migrate", store, "--to", folder.model, "--rehearse")
      #expect(rehearsal.status == 0 && rehearsal.errors.isEmpty, "\(rehearsal.errors)")
      #expect(rehearsal.output.contains("Step 2 of 2"))
      #expect(rehearsal.output.contains("The rehearsal went well"), "\(rehearsal.output)")
      #expect(try schemas(schema) == [schema])
      #expect(try values("SELECT version FROM \"\(schema)\".\"_store\"") == ["1"])
      #expect(try values("SELECT title FROM \"\(schema)\".\"Book\" ORDER BY 1") == ["Book 1", "Book 2", "Book 3"])
    }

    @Test func aStoreIsMigratedWithABackup() throws {
      let (folder, store, schema) = try make()
      let tool = try Tool("migrate", store, "--to", folder.model, "--verify")
      #expect(tool.status == 0 && tool.errors.isEmpty, "\(tool.errors)")
      #expect(tool.output.contains("values of 5 objects are as they must be."), "\(tool.output)")
      #expect(tool.output.contains("schema=\(schema)-backup\n"), "\(tool.output)")
      #expect(try schemas(schema) == [schema, "\(schema)-backup"])
      #expect(try values("SELECT heading FROM \"\(schema)\".\"Book\" ORDER BY 1") == ["Book 1", "Book 2", "Book 3"])
      #expect(
        try values("SELECT title FROM \"\(schema)-backup\".\"Book\" ORDER BY 1") == ["Book 1", "Book 2", "Book 3"])
      let again = try Tool("migrate", store, "--to", folder.model)
      #expect(again.output.contains("nothing to do"), "\(again.errors)")
    }

    @Test func whatStandsInTheWayIsTold() throws {
      let (_, store, schema) = try make()
      let folder = try Library.folder(["Library", "Mandatory"], current: "Mandatory")
      let plan = try Tool("migrate", store, "--to", folder.model, "--plan")
      #expect(plan.status == 1 && plan.output.contains("IN THE WAY: Book.isbn"), "\(plan.output)\(plan.errors)")
      let tool = try Tool("migrate", store, "--to", folder.model)
      #expect(tool.status == 1 && tool.errors.contains("The store is as it was."), "\(tool.errors)")
      #expect(try schemas(schema) == [schema])
      #expect(try values("SELECT version FROM \"\(schema)\".\"_store\"") == ["1"])
    }
  }
#endif

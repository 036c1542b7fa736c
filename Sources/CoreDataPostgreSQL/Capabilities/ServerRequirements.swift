#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  /// Features of the server that the store needs. They are tried when the store is opened, because the names and
  /// versions of products that speak the server's protocol say little. Features that the store can do without are tried
  /// when they are first used: see `CopySupport`, `SystemNumber` and `RemoteChangeListener`.
  struct ServerRequirements {
    private struct Requirement {
      let name: String
      let purpose: String
      let statement: String
    }

    /// A transaction must begin with its level of isolation, so that requirement is the first.
    private static let ofServer = [
      Requirement(
        name: "transactions that read one state (REPEATABLE READ)",
        purpose: "what a context reads in one of them is of one moment",
        statement: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"),
      Requirement(
        name: "snapshots of transactions (xid8, pg_current_snapshot, pg_visible_in_snapshot)",
        purpose: "it tells by them what others have saved",
        statement: "SELECT pg_visible_in_snapshot('3'::xid8, s), pg_snapshot_xmin(s), pg_snapshot_xmax(s), "
          + "pg_current_xact_id_if_assigned() FROM pg_current_snapshot() s"),
      Requirement(
        name: "arrays as tables (unnest WITH ORDINALITY)", purpose: "it writes many rows by one statement",
        statement: "WITH v AS MATERIALIZED (SELECT m, n FROM unnest('{1}'::bigint[]) WITH ORDINALITY AS v(m, n)) "
          + "SELECT n FROM v"),
    ]

    private static let ofWriters = [
      Requirement(
        name: "changes within queries (WITH … UPDATE … RETURNING)",
        purpose: "a save finds by them what others have changed meanwhile",
        statement: "WITH m AS (UPDATE \"_store\" SET version = version WHERE FALSE RETURNING version) "
          + "SELECT count(*) FROM m")
    ]

    private let connection: ServerConnection
    private let place: ServerPlace

    init(_ connection: ServerConnection, _ place: ServerPlace) { (self.connection, self.place) = (connection, place) }

    /// - Throws: 134080 with the names of all features that the server lacks.
    func check() throws { try check(Self.ofServer) { $0.isOfMissingFeature } }

    /// Checks the features that are needed to write to an existing store. A role that may only read is refused later,
    /// when it saves.
    /// - Throws: 134080 with the names of all features that the server lacks.
    func checkWriting() throws { try check(Self.ofWriters) { $0.isOfMissingFeature && !$0.isOfMissingRight } }

    private func check(_ requirements: [Requirement], _ isLack: (ServerError) -> Bool) throws {
      do {
        // Usually the server has all features; then one flight is enough to try them, and the server logs no error.
        return try attempt(requirements)
      } catch  where connection.isUsable {}
      var lacks: [String] = []
      for requirement in requirements {
        do { try attempt([requirement]) } catch let error as ServerError where connection.isUsable {
          // Other errors are left to the request that needs the feature.
          guard isLack(error) else { continue }
          lacks.append("\(requirement.name), since \(requirement.purpose): \(error.message)")
        }
      }
      if lacks.isEmpty { return }
      throw NSError(
        coreData: NSPersistentStoreOpenError,
        "The server at \(place.display) lacks what a store needs of it: \(lacks.joined(separator: "; ")).",
        [NSFilePathErrorKey: place.display])
    }

    /// Runs the requirements' statements, and leaves the connection's transaction, or that it has none, as it was.
    private func attempt(_ requirements: [Requirement]) throws {
      var statements = requirements.map(\.statement)
      if connection.transactionStatus == .idle {
        defer {
          if connection.isUsable, connection.transactionStatus != .idle { try? connection.execute("ROLLBACK") }
        }
        if statements.contains(where: { $0.hasPrefix("BEGIN") }) { statements.append("COMMIT") }
        return try connection.execute(statements)
      }
      do {
        try connection.execute(["SAVEPOINT requirements"] + statements + ["RELEASE requirements"])
      } catch {
        if connection.isUsable { try connection.execute("ROLLBACK TO requirements") }
        throw error
      }
    }
  }
#endif

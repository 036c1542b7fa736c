#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  // The row that makes a save one commit, and the check that the schema has still the same version.
  extension SaveFlight {
    /// Writes the row of the commit. Its token tells later whether the commit has taken effect.
    ///
    /// The commits that name a process belong to history; all others serve only readers' caches.
    /// - Parameter isTold: whether the commit belongs to history, if that is tracked. A commit that changes no object does
    ///   not.
    mutating func writeCommit(
      _ token: UUID, _ source: HistorySource, _ outcome: SaveOutcome, isTold: Bool = true
    ) {
      var values = ServerValues(variables: 6)
      values.append(token)
      values.append(Date().timeIntervalSinceReferenceDate)
      if isTold, store.serverOptions.tracksHistory {
        for text in [source.author, source.contextName, store.processName, store.bundleID] {
          if let text { values.append(text.replacingOccurrences(of: "\0", with: "")) } else { values.appendNull() }
        }
      } else {
        for _ in 0..<4 { values.appendNull() }
      }
      add(Self.commit, values) { outcome.transaction = UInt64(bitPattern: $0.int64(0, 0)) }
      // From here on no migration can begin before this transaction ends, because a migration locks that table. A migration
      // that was earlier has given the schema another version.
      versionCheck = flight.statementCount
      var version = ServerValues()
      version.append(store.openedSchemaVersion)
      add(Self.checkVersion, version)
    }

    /// Divides by zero if the schema has another version. The statements that check rows fail in the same way.
    private static let checkVersion = ServerStatement(
      "SELECT 1 / count(*) FROM \"_store\" WHERE version = $1", types: [ServerType.int64])

    private static let commit = ServerStatement(
      "INSERT INTO \"_commit\"(token, at, author, context, process, bundle) VALUES ($1, $2, $3, $4, $5, $6) "
        + "RETURNING xid",
      types: [ServerType.uuid, ServerType.double] + Array(repeating: ServerType.text, count: 4))
  }
#endif

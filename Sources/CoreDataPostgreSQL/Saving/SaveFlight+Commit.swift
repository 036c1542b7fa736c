#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  // Writes the row that makes a save a commit, and checks that the schema is still the one that was opened.
  extension SaveFlight {
    /// Writes the row of the commit. Its token shows later whether the commit took place.
    ///
    /// History consists of the commits that name a process; the other commits serve only the caches of readers.
    /// - Parameter isTold: whether history records the commit, if history is tracked; a commit that changes no object
    ///   is left out.
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
      add(Self.commit, values, role: .note) { outcome.transaction = UInt64(bitPattern: $0.int64(0, 0)) }
      // From here on no migration can begin before this transaction ends, because a migration locks this table. A
      // migration that was faster has given the schema another version.
      versionCheck = flight.statementCount
      var version = ServerValues()
      version.append(store.openedSchemaVersion)
      add(Self.checkVersion, version)
    }

    /// Ends the transaction, and notes whether it was committed: what fails in the flight after that changes nothing of it.
    mutating func endWriting(_ outcome: SaveOutcome) {
      add(ServerStore.commitWriting, role: .commit) { outcome.isCommitted = $0.isOfCommit }
    }

    /// Divides by zero if the schema has another version, as the statements that check rows do.
    private static let checkVersion = ServerStatement(
      "SELECT 1 / count(*) FROM \"_store\" WHERE version = $1", types: [ServerType.int64])

    private static let commit = ServerStatement(
      "INSERT INTO \"_commit\"(token, at, author, context, process, bundle) VALUES ($1, $2, $3, $4, $5, $6) "
        + "RETURNING xid",
      types: [ServerType.uuid, ServerType.double] + Array(repeating: ServerType.text, count: 4))
  }
#endif

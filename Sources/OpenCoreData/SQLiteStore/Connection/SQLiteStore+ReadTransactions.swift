import CSQLite
import Foundation

// At which commit a read transaction reads.
extension SQLiteStore {
  /// Begins a read transaction and returns the commit at which it reads.
  ///
  /// Returns 0 if the commit cannot be told: a save is just becoming visible, and readers that are still at the commit before
  /// must not get its rows. The rows of such a transaction are neither taken from the row cache nor put into it. A save
  /// becomes visible in a moment unless it is a large one, so the transaction is begun anew a few times before this gives up.
  func beginRead(_ connection: SQLiteConnection, attempts: Int = 10) throws -> UInt64 {
    var left = attempts
    while true {
      switch try begin(connection, attemptsLeft: left) {
      case .readAt(let commit): return commit
      case .readUncached: return 0
      case .beginAgain:
        left -= 1
        try connection.statement("COMMIT").run()
        usleep(50)
      }
    }
  }

  /// Ends the open read transaction and begins another, at the latest commit. Returns that commit, or 0 if it cannot be told, as
  /// `beginRead` does.
  func beginReadAgain(_ connection: SQLiteConnection) throws -> UInt64 {
    try connection.statement("COMMIT").run()
    return try beginRead(connection)
  }

  /// Begins a read transaction. If another process or another coordinator has committed since the last transaction on this
  /// connection, everything that is cached is forgotten. `OneWriterReading` makes the decisions.
  private func begin(_ connection: SQLiteConnection, attemptsLeft: Int) throws -> OneWriterReading.Decision {
    let reading = OneWriterReading(
      transaction: writer.transactionNumber, finished: writer.commitsFinished, latest: latestCommit)
    try connection.statement("BEGIN").run()
    let version = try connection.integer("PRAGMA data_version") ?? 0
    let begun = writer.commitsBegun
    let isForeign: Bool?
    switch reading.compare(
      version, begun: begun, mark: connection.mark, nowWriting: writer.transactionNumber)
    {
    case .nothingNew: isForeign = false
    case .askWriter:
      let answer = writer.seesForeignCommit()
      isForeign = reading.isForeign(writerSays: answer, latestNow: latestCommit)
    case .forgetEverything:
      forgetEverything()
      isForeign = true
    }
    return reading.decide(
      isForeign: isForeign, version: version, begun: begun, attemptsLeft: attemptsLeft, mark: &connection.mark)
  }
}

import Foundation

// Rows whose external values are in files that are missing. Others may have replaced such a value and removed its file, after
// this transaction began and before it opened the file. Then the transaction's row is out of date, and is read again.
extension SQLiteStore {
  /// How often rows are read again whose files are replaced again and again.
  private static let attempts = 10

  /// Runs `body` in the read transaction, as `ReadTransaction.read(latest:_:)` does. If files are missing that its rows name,
  /// runs it again in a transaction that sees later commits, until those files are named no more. So everything that is
  /// returned belongs to one state of the store, and a value is missing only if its file is.
  ///
  /// A query generation has one state: its rows are not read again.
  /// - Parameter body: reads, and adds the names of files that are missing; those that SQL functions have met are added here. It
  ///   is run again from the beginning, so that it must not change anything outside.
  @inline(__always)
  func readFiles<Result>(
    _ transaction: ReadTransaction, latest: Bool,
    _ body: (SQLiteConnection, UInt64, inout [String]) throws -> Result
  ) throws -> Result {
    var missing: [String] = []
    var seen: UInt64 = 0
    let result = try transaction.read(latest: latest) { connection, commit in
      seen = commit
      return try Self.collect(&missing, commit, connection, body)
    }
    if missing.isEmpty { return result }
    return try readAgain(transaction, result, missing, commit: seen, body)
  }

  @inline(__always)
  private static func collect<Result>(
    _ missing: inout [String], _ commit: UInt64, _ connection: SQLiteConnection,
    _ body: (SQLiteConnection, UInt64, inout [String]) throws -> Result
  ) throws -> Result {
    connection.missingFiles.begin()
    defer { missing += connection.missingFiles.end() }
    return try body(connection, commit, &missing)
  }

  @inline(never)
  private func readAgain<Result>(
    _ transaction: ReadTransaction, _ result: Result, _ missing: [String], commit: UInt64,
    _ body: (SQLiteConnection, UInt64, inout [String]) throws -> Result
  ) throws -> Result {
    var (result, missing, seen) = (result, missing, commit)
    var known: Set<String> = []
    for _ in 0..<Self.attempts where !transaction.isPinned && !known.isSuperset(of: missing) {
      known.formUnion(missing)
      let again = try transaction.read(latest: true) { connection, commit -> (Result, [String])? in
        // Nobody has committed meanwhile. 0 stands for a commit that is not known.
        if commit == seen, commit != 0 { return nil }
        seen = commit
        var missing: [String] = []
        return (try Self.collect(&missing, commit, connection, body), missing)
      }
      guard let again else { break }
      (result, missing) = again
    }
    for name in missing { external.reportMissing(name) }
    return result
  }
}

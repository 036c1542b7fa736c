import CSQLite
import Foundation

/// Tells a `Progress` how far a migration has come, and ends the migration after a cancellation, even in the middle of a
/// statement.
final class MigrationWatch {
  private let progress: Progress?
  private var done: Int64 = 0
  /// The units of the running statement.
  private var share: Int64 = 0
  private var steps: Int64 = 0
  private(set) var isCancelled = false

  /// The number of SQLite's instructions between two calls of the handler, and the approximate number of instructions for a
  /// row.
  private static let interval: Int32 = 20_000
  private static let instructionsPerRow: Int64 = 40

  init(_ progress: Progress?, total: Int64) {
    self.progress = progress
    progress?.totalUnitCount = total
  }

  /// Runs `body`, and interrupts its statements after a cancellation.
  func observe<Result>(
    _ connection: SQLiteConnection, _ body: () throws -> Result, failure: (any Error) -> any Error
  ) throws -> Result {
    guard progress != nil else { return try body() }
    sqlite3_progress_handler(
      connection.handle, Self.interval,
      { context in
        guard let context else { return 0 }
        return Unmanaged<MigrationWatch>.fromOpaque(context).takeUnretainedValue().tick() ? 0 : 1
      }, Unmanaged.passUnretained(self).toOpaque())
    defer { sqlite3_progress_handler(connection.handle, 0, nil, nil) }
    do { return try body() } catch { throw failure(error) }
  }

  /// - Returns: whether the statement is to go on.
  private func tick() -> Bool {
    steps += Int64(Self.interval)
    progress?.completedUnitCount = done + min(share, steps / Self.instructionsPerRow)
    if progress?.isCancelled == true { isCancelled = true }
    return !isCancelled
  }

  func begin(_ units: Int64) throws {
    (share, steps) = (units, 0)
    try advance(by: 0)
  }

  func end() throws { try advance(by: share) }

  func advance(by units: Int64) throws {
    done += units
    progress?.completedUnitCount = done
    guard progress?.isCancelled == true else { return }
    isCancelled = true
    throw CancellationError()
  }
}

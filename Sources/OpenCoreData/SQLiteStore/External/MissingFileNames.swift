/// The names of missing files of external values that SQL functions have met on a connection.
///
/// A function cannot tell whether the file is lost, or whether another program has replaced the value since the statement's
/// transaction began. Whoever runs the statement finds out (`readFiles`).
final class MissingFileNames: @unchecked Sendable {  // used by the thread that uses the connection
  /// Nil while nobody asks for them.
  private var names: [String]?

  /// Begins to collect names.
  func begin() { names = [] }

  /// Returns the names since `begin()`, and ends the collecting.
  func end() -> [String] {
    defer { names = nil }
    return names ?? []
  }

  /// Notes a file, or reports it where nobody asks: in a statement that writes, which sees the latest state.
  func note(_ name: String, of storage: ExternalStorage) {
    if names?.append(name) == nil { storage.reportMissing(name) }
  }
}

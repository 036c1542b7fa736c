/// Rows that are not what objects were read from.
@_spi(Store) public struct OutdatedRows {
  /// The present rows, by key.
  package var rows: [Int64: Snapshot] = [:]
  package var gone: Set<Int64> = []

  package var isEmpty: Bool { rows.isEmpty && gone.isEmpty }
}

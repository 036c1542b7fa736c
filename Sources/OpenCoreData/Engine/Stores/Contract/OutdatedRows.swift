/// Rows that are not what objects were read from.
@_spi(Store) public struct OutdatedRows {
  /// By key, as they are now.
  package var rows: [Int64: Snapshot] = [:]
  package var gone: Set<Int64> = []

  package var isEmpty: Bool { rows.isEmpty && gone.isEmpty }
}

/// The present rows of objects that were read in another version.
@_spi(Store) public struct OutdatedRows {
  /// The rows that are still in the store, by key.
  package var rows: [Int64: Snapshot] = [:]
  package var gone: Set<Int64> = []

  package var isEmpty: Bool { rows.isEmpty && gone.isEmpty }
}

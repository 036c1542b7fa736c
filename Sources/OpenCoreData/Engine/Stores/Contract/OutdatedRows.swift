/// Rows that are not what objects were read from.
@_spi(Store) public struct OutdatedRows {
  /// By key, as they are now.
  var rows: [Int64: Snapshot] = [:]
  var gone: Set<Int64> = []

  var isEmpty: Bool { rows.isEmpty && gone.isEmpty }
}

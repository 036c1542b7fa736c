/// A row that has values which must be unique.
@_spi(Store) public struct FoundRow {
  /// Among the values that were looked for.
  let place: Int
  let key: Int64
  /// The row's entity.
  let number: Int
}

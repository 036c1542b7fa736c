/// A row that has values which must be unique.
@_spi(Store) public struct FoundRow {
  /// The position of the row's values among the values that were looked for.
  package let place: Int
  package let key: Int64
  /// The number of the row's entity.
  package let number: Int

  package init(place: Int, key: Int64, number: Int) {
    (self.place, self.key, self.number) = (place, key, number)
  }
}

/// Finds the places of keys in an array that has each key once.
struct KeyPlaces {
  let count: Int
  private let lowest: Int64
  /// The place of each number from the lowest key on; -1 for a number that is no key. Used if the keys are close to each
  /// other, as those of a whole table are; otherwise empty.
  private let close: ContiguousArray<Int32>
  private let scattered: [Int64: Int32]

  init(_ keys: ContiguousArray<Int64>) {
    count = keys.count
    let lowest = keys.min() ?? 0
    let (span, isTooWide) = (keys.max() ?? 0).subtractingReportingOverflow(lowest)
    self.lowest = lowest
    guard isTooWide || span > 4 * Int64(keys.count) else {
      var close = ContiguousArray<Int32>(repeating: -1, count: Int(span) + 1)
      for (place, key) in keys.enumerated() { close[Int(key - lowest)] = Int32(place) }
      self.close = close
      scattered = [:]
      return
    }
    close = []
    var scattered = [Int64: Int32](minimumCapacity: keys.count)
    for (place, key) in keys.enumerated() { scattered[key] = Int32(place) }
    self.scattered = scattered
  }

  /// Returns the place of `key`; nil if the array does not have it.
  @inline(__always)
  func place(of key: Int64) -> Int32? {
    if close.isEmpty { return scattered[key] }
    let (distance, isOutside) = key.subtractingReportingOverflow(lowest)
    guard !isOutside, distance >= 0, distance < close.count else { return nil }
    let place = close[Int(distance)]
    return place < 0 ? nil : place
  }
}

/// Finds the positions of keys in an array that contains each key once.
struct KeyPlaces {
  let count: Int
  private let lowest: Int64
  /// The position of each key from the lowest on, with -1 for numbers that are not in the array. Used if the keys are close
  /// to each other, as the keys of a whole table are.
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

  /// The place of `key`; nil if it is not there.
  @inline(__always)
  func place(of key: Int64) -> Int32? {
    if close.isEmpty { return scattered[key] }
    let (distance, isOutside) = key.subtractingReportingOverflow(lowest)
    guard !isOutside, distance >= 0, distance < close.count else { return nil }
    let place = close[Int(distance)]
    return place < 0 ? nil : place
  }
}

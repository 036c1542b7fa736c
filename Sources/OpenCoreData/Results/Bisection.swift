/// Binary search.
enum Bisection {
  /// Returns the first place for which `test` holds, or the end of the range. `test` must hold for all places after the
  /// first.
  static func first(in range: Range<Int>, where test: (Int) -> Bool) -> Int {
    var (low, high) = (range.lowerBound, range.upperBound)
    while low < high {
      let middle = low + (high - low) / 2
      if test(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// Returns how many numbers of an ascending list are less than `limit`.
  static func count(of list: [Int], below limit: Int) -> Int { first(in: 0..<list.count) { list[$0] >= limit } }

  /// Returns the first number of a range that is not in an ascending list, or the end of the range.
  static func firstNumber(in range: Range<Int>, notIn list: [Int]) -> Int {
    let start = count(of: list, below: range.lowerBound)
    let end = first(in: start..<list.count) { list[$0] - $0 > range.lowerBound - start }
    return min(range.lowerBound + end - start, range.upperBound)
  }
}

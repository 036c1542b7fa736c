/// A row of numbers whose sums from the first on are found and kept in O(log n): a Fenwick tree.
///
/// A number is changed in O(log n). Inserting or removing one costs O(n), so the row is meant to be short compared with
/// what it counts: ``ChunkedList`` has one number for some hundred elements.
struct PrefixSums: Sendable {
  private(set) var values: [Int]
  /// `tree[i]` is the sum of the values at `i & (i + 1)` to `i`.
  private var tree: [Int] = []

  init(_ values: [Int] = []) {
    self.values = values
    build()
  }

  private mutating func build() {
    tree = values
    for index in tree.indices {
      let next = index | (index + 1)
      if next < tree.count { tree[next] += tree[index] }
    }
  }

  /// Returns the sum of the values before an index.
  func sum(before index: Int) -> Int {
    var (sum, index) = (0, index - 1)
    while index >= 0 {
      sum += tree[index]
      index = (index & (index + 1)) - 1
    }
    return sum
  }

  /// Returns the value that contains a place, and the place within that value, if the values are lengths of pieces that
  /// lie one behind the other. For the end of all pieces, the index is the number of values. Pieces of length 0 contain
  /// no place.
  func piece(at place: Int) -> (index: Int, offset: Int) {
    var (index, rest) = (0, place)
    var step = values.isEmpty ? 0 : 1 << (Int.bitWidth - 1 - values.count.leadingZeroBitCount)
    while step > 0 {
      let end = index + step
      if end <= tree.count, tree[end - 1] <= rest {
        rest -= tree[end - 1]
        index = end
      }
      step >>= 1
    }
    return (index, rest)
  }

  mutating func add(_ difference: Int, at index: Int) {
    values[index] += difference
    var index = index
    while index < tree.count {
      tree[index] += difference
      index |= index + 1
    }
  }

  mutating func insert(_ value: Int, at index: Int) {
    values.insert(value, at: index)
    build()
  }

  mutating func remove(at index: Int) {
    values.remove(at: index)
    build()
  }
}

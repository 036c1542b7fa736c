/// A list in which elements are inserted and removed anywhere at the cost of O(log n), whatever its length.
///
/// The elements lie in chunks of at most `capacity`, and the lengths of the chunks are known as ``PrefixSums``. So a place
/// is found in O(log n), and an insertion or removal moves elements of one chunk only. A chunk that gets too long is
/// divided, and a chunk that gets short is united with a neighbour; this happens once in `capacity / 4` changes at most,
/// and then costs a few operations for each chunk.
///
/// Each chunk has a number that it keeps while other chunks come and go. An owner that remembers the number of an
/// element's chunk finds the element's place again by ``start(ofChunk:)`` and a search in ``elements(ofChunk:)``, whatever
/// else has changed. The changing methods return a ``Relocation`` when elements get another chunk.
///
/// Elements may have an extent, which is the number of places that they take in another list: the sections of a list have
/// their numbers of objects. The sums of extents are kept like the lengths.
///
/// A copy shares all chunks with the original, and each changes only the chunks that it touches.
struct ChunkedList<Element> {
  /// Elements that are now in another chunk than before: some of the elements of a chunk.
  struct Relocation {
    let chunk: Int
    let offsets: Range<Int>
  }

  struct Chunk {
    let number: Int
    var elements: ContiguousArray<Element>
  }

  /// The greatest number of elements in a chunk.
  let capacity: Int
  let extent: (@Sendable (Element) -> Int)?
  var chunks: [Chunk] = []
  /// The number of elements in each chunk.
  var lengths = PrefixSums()
  /// The sum of the extents in each chunk; empty if the elements have no extents.
  var extents = PrefixSums()
  /// The index in `chunks` of the chunk with each number; -1 for numbers that no chunk has.
  var indices: [Int] = []
  var freeNumbers: [Int] = []
  var count = 0

  /// Makes a list of these elements.
  /// - Parameters:
  ///   - capacity: the greatest number of elements in a chunk, at least 4.
  ///   - extent: the extents of elements; nil if they have none.
  init(
    _ elements: some Sequence<Element>, capacity: Int = 512, extent: (@Sendable (Element) -> Int)? = nil
  ) {
    precondition(capacity >= 4, "a chunk must be divisible")
    self.capacity = capacity
    self.extent = extent
    fill(elements)
  }

  /// Replaces all elements. The chunks get free space, so that the first insertions do not divide them.
  private mutating func fill(_ elements: some Sequence<Element>) {
    let length = capacity - capacity / 4
    var chunk: ContiguousArray<Element> = []
    let isLong = elements.underestimatedCount >= length
    func end() { chunks.append(Chunk(number: chunks.count, elements: chunk)) }
    for element in elements {
      // A short list gets no space in advance.
      if chunk.isEmpty, isLong { chunk.reserveCapacity(capacity + 1) }
      chunk.append(element)
      if chunk.count == length {
        end()
        chunk = []
      }
    }
    if !chunk.isEmpty { end() }
    indices = Array(chunks.indices)
    lengths = PrefixSums(chunks.map(\.elements.count))
    if let extent { extents = PrefixSums(chunks.map { $0.elements.reduce(0) { $0 + extent($1) } }) }
    count = lengths.values.reduce(0, +)
  }

  // MARK: Access

  var isEmpty: Bool { count == 0 }

  /// The element at a place, in O(log n).
  subscript(place: Int) -> Element {
    precondition(place >= 0 && place < count, "there is no element at \(place) of \(count)")
    let (index, offset) = lengths.piece(at: place)
    return chunks[index].elements[offset]
  }

  /// All elements in order, in a new array.
  var array: [Element] {
    var result: [Element] = []
    result.reserveCapacity(count)
    for chunk in chunks { result.append(contentsOf: chunk.elements) }
    return result
  }

  /// Returns the place of the first element for which `test` holds. The elements are searched from the beginning.
  func firstIndex(where test: (Element) -> Bool) -> Int? {
    for (index, chunk) in chunks.enumerated() {
      if let offset = chunk.elements.firstIndex(where: test) { return lengths.sum(before: index) + offset }
    }
    return nil
  }

  /// Returns the elements of a range in a new array.
  subscript(range: Range<Int>) -> ContiguousArray<Element> {
    var result: ContiguousArray<Element> = []
    result.reserveCapacity(range.count)
    var (index, offset) = lengths.piece(at: range.lowerBound)
    while result.count < range.count {
      let elements = chunks[index].elements
      result.append(contentsOf: elements[offset..<min(elements.count, offset + range.count - result.count)])
      (index, offset) = (index + 1, 0)
    }
    return result
  }

  /// Returns a place in the middle of a range that is not empty: if chunks begin in the range, the beginning of one of
  /// them. A binary search that halves ranges at these places meets the same elements again after changes elsewhere.
  func middle(of range: Range<Int>) -> Int {
    let first = lengths.piece(at: range.lowerBound)
    let last = lengths.piece(at: range.upperBound - 1)
    guard first.index < last.index else { return range.lowerBound + range.count / 2 }
    return lengths.sum(before: (first.index + last.index + 1) / 2)
  }

  // MARK: Chunks

  /// Returns the number of the chunk that has the element at a place.
  func chunk(at place: Int) -> Int { chunks[lengths.piece(at: place).index].number }

  /// Returns the place of a chunk's first element.
  func start(ofChunk number: Int) -> Int { lengths.sum(before: indices[number]) }

  /// The elements of a chunk; none if no chunk has that number.
  func elements(ofChunk number: Int) -> ContiguousArray<Element> {
    indices.indices.contains(number) && indices[number] >= 0 ? chunks[indices[number]].elements : []
  }

  // MARK: Extents

  /// The sum of all extents.
  var totalExtent: Int { extents.sum(before: chunks.count) }

  /// Returns the sum of the extents of all elements before a place.
  func extent(before place: Int) -> Int {
    guard let extent else { return 0 }
    let (index, offset) = lengths.piece(at: place)
    let sum = extents.sum(before: index)
    return offset == 0 ? sum : chunks[index].elements[..<offset].reduce(sum) { $0 + extent($1) }
  }

  /// Returns the place of the element whose extent contains a place of the other list; `count` for its end.
  func place(atExtent position: Int) -> Int {
    guard let extent else { return count }
    var (index, rest) = extents.piece(at: position)
    guard index < chunks.count else { return count }
    let offset = chunks[index].elements.firstIndex {
      rest -= extent($0)
      return rest < 0
    }
    return lengths.sum(before: index) + (offset ?? 0)
  }
}

extension ChunkedList.Chunk: Sendable where Element: Sendable {}
extension ChunkedList: Sendable where Element: Sendable {}

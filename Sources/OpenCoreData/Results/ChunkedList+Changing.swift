// Changing a list: the elements of one chunk move, and now and then a chunk is divided or united with another.
extension ChunkedList {
  /// Inserts an element, in O(log n).
  /// - Returns: the elements that are in another chunk than before, without the new one; nil if there are none.
  @discardableResult
  mutating func insert(_ element: Element, at place: Int) -> Relocation? {
    precondition(place >= 0 && place <= count, "there is no place \(place) in a list of \(count)")
    if chunks.isEmpty { insertChunk([], at: 0) }
    var (index, offset) = lengths.piece(at: place)
    if index == chunks.count { (index, offset) = (index - 1, chunks[index - 1].elements.count) }
    chunks[index].elements.insert(element, at: offset)
    add(element, 1, at: index)
    return chunks[index].elements.count > capacity ? divide(index) : nil
  }

  /// Removes an element, in O(log n).
  /// - Returns: the element, and the elements that are in another chunk than before; nil if there are none.
  @discardableResult
  mutating func remove(at place: Int) -> (element: Element, relocation: Relocation?) {
    precondition(place >= 0 && place < count, "there is no element at \(place) of \(count)")
    let (index, offset) = lengths.piece(at: place)
    let element = chunks[index].elements.remove(at: offset)
    add(element, -1, at: index)
    return (element, chunks[index].elements.count < capacity / 4 ? unite(index) : nil)
  }

  /// Replaces the element at a place, in O(log n).
  mutating func replace(at place: Int, with element: Element) {
    precondition(place >= 0 && place < count, "there is no element at \(place) of \(count)")
    let (index, offset) = lengths.piece(at: place)
    if let extent {
      extents.add(extent(element) - extent(chunks[index].elements[offset]), at: index)
    }
    chunks[index].elements[offset] = element
  }

  /// Inserts elements. Many elements, compared with the list's length, are inserted by making the list anew.
  mutating func insert(contentsOf elements: [Element], at place: Int) {
    if elements.count > count / 16 {
      var all = array
      all.insert(contentsOf: elements, at: place)
      self = ChunkedList(all, capacity: capacity, extent: extent)
    } else {
      for (offset, element) in elements.enumerated() { insert(element, at: place + offset) }
    }
  }

  /// Counts an element that has come into a chunk, or has left it.
  private mutating func add(_ element: Element, _ sign: Int, at index: Int) {
    lengths.add(sign, at: index)
    if let extent { extents.add(sign * extent(element), at: index) }
    count += sign
  }

  /// Moves the second half of a chunk to a new chunk.
  private mutating func divide(_ index: Int) -> Relocation {
    // A copy, so that the first half is shortened in place.
    let moved = ContiguousArray(chunks[index].elements[(chunks[index].elements.count / 2)...])
    chunks[index].elements.removeLast(moved.count)
    lengths.add(-moved.count, at: index)
    if let extent { extents.add(-moved.reduce(0) { $0 + extent($1) }, at: index) }
    let number = insertChunk(moved, at: index + 1)
    return Relocation(chunk: number, offsets: 0..<moved.count)
  }

  /// Moves the elements of a short chunk to a neighbour that has space for them, so that no two short chunks are side by
  /// side, and no chunk is empty.
  private mutating func unite(_ index: Int) -> Relocation? {
    let elements = chunks[index].elements
    func hasSpace(_ other: Int) -> Bool {
      chunks.indices.contains(other) && chunks[other].elements.count + elements.count <= capacity
    }
    if elements.isEmpty {
      removeChunk(at: index)
      return nil
    }
    guard let other = [index - 1, index + 1].first(where: hasSpace) else { return nil }
    let start = other < index ? chunks[other].elements.count : 0
    chunks[other].elements.insert(contentsOf: elements, at: start)
    lengths.add(elements.count, at: other)
    if let extent { extents.add(elements.reduce(0) { $0 + extent($1) }, at: other) }
    let number = chunks[other].number
    removeChunk(at: index)
    return Relocation(chunk: number, offsets: start..<start + elements.count)
  }

  @discardableResult
  private mutating func insertChunk(_ elements: some Collection<Element>, at index: Int) -> Int {
    let number = freeNumbers.popLast() ?? indices.count
    if number == indices.count { indices.append(-1) }
    var stored: ContiguousArray<Element> = []
    stored.reserveCapacity(capacity + 1)
    stored.append(contentsOf: elements)
    chunks.insert(Chunk(number: number, elements: stored), at: index)
    lengths.insert(stored.count, at: index)
    if let extent { extents.insert(stored.reduce(0) { $0 + extent($1) }, at: index) }
    noteIndices(from: index)
    return number
  }

  private mutating func removeChunk(at index: Int) {
    let number = chunks.remove(at: index).number
    lengths.remove(at: index)
    if extent != nil { extents.remove(at: index) }
    indices[number] = -1
    freeNumbers.append(number)
    noteIndices(from: index)
  }

  private mutating func noteIndices(from first: Int) {
    for index in first..<chunks.count { indices[chunks[index].number] = index }
  }
}

import Testing

@testable import OpenCoreData

/// A chunked list is what an array is after the same operations, and keeps its invariants.
@Suite struct ChunkedListTests {
  /// An owner of a list that remembers the chunk of each element, as the contents of controllers do.
  private struct Owner {
    var list: ChunkedList<Int>
    var chunks: [Int: Int] = [:]

    init(_ elements: [Int], capacity: Int) {
      list = ChunkedList(elements, capacity: capacity) { $0 % 5 }
      for chunk in list.chunks { for element in chunk.elements { chunks[element] = chunk.number } }
    }

    mutating func insert(_ element: Int, at place: Int) {
      note(list.insert(element, at: place))
      chunks[element] = list.chunk(at: place)
    }

    mutating func remove(at place: Int) -> Int {
      let (element, relocation) = list.remove(at: place)
      chunks[element] = nil
      note(relocation)
      return element
    }

    private mutating func note(_ relocation: ChunkedList<Int>.Relocation?) {
      guard let relocation else { return }
      for element in list.elements(ofChunk: relocation.chunk)[relocation.offsets] {
        chunks[element] = relocation.chunk
      }
    }

    func place(of element: Int) -> Int? {
      guard let chunk = chunks[element] else { return nil }
      return list.elements(ofChunk: chunk).firstIndex(of: element).map { list.start(ofChunk: chunk) + $0 }
    }
  }

  /// Checks what the list promises to itself.
  private func checkInvariants(_ list: ChunkedList<Int>) {
    #expect(list.count == list.chunks.reduce(0) { $0 + $1.elements.count })
    #expect(list.lengths.values == list.chunks.map(\.elements.count))
    #expect(list.extents.values == list.chunks.map { $0.elements.reduce(0) { $0 + $1 % 5 } })
    #expect(list.chunks.allSatisfy { !$0.elements.isEmpty && $0.elements.count <= list.capacity })
    let short = list.chunks.map { $0.elements.count < list.capacity / 4 }
    #expect(!zip(short, short.dropFirst()).contains { $0 && $1 }, "two short chunks are side by side")
    let numbers = list.chunks.map(\.number)
    #expect(Set(numbers).count == numbers.count)
    for (index, number) in numbers.enumerated() { #expect(list.indices[number] == index) }
    #expect(Set(list.freeNumbers + numbers) == Set(list.indices.indices))
    #expect(list.freeNumbers.allSatisfy { list.indices[$0] == -1 })
  }

  private func compare(_ owner: Owner, _ model: [Int], _ random: inout SeededGenerator) {
    let list = owner.list
    #expect(list.array == model && list.count == model.count && list.isEmpty == model.isEmpty)
    #expect(list.totalExtent == model.reduce(0) { $0 + $1 % 5 })
    for _ in 0..<3 where !model.isEmpty {
      let place = Int.random(in: 0..<model.count, using: &random)
      #expect(list[place] == model[place] && owner.place(of: model[place]) == place)
      let before = model[..<place].reduce(0) { $0 + $1 % 5 }
      #expect(list.extent(before: place) == before)
      // An element without an extent contains no place: the place is that of the next one with an extent.
      let next = model[place...].firstIndex { $0 % 5 > 0 }
      #expect(list.place(atExtent: before) == next ?? model.count)
      let end = Int.random(in: place...model.count, using: &random)
      #expect(Array(list[place..<end]) == Array(model[place..<end]))
      #expect(end == place || (place..<end).contains(list.middle(of: place..<end)))
      #expect(list.firstIndex { $0 == model[place] } == place)
    }
  }

  @Test(arguments: [4, 8, 64]) func isWhatAnArrayIs(_ capacity: Int) {
    var random = SeededGenerator(for: "chunked list \(capacity)")
    for _ in 0..<(6 * Soak.factor) {
      var model = Array(0..<Int.random(in: 0...200, using: &random))
      var owner = Owner(model, capacity: capacity)
      var next = 1000
      // Phases in which the list mostly grows, shrinks, or changes at one place.
      for phase in 0..<6 {
        let chance = [8, 2, 5, 9, 1, 5][phase]
        let isLocal = Bool.random(using: &random)
        for _ in 0..<60 {
          let most = model.count
          let place = isLocal ? min(most, 7) : Int.random(in: 0...most, using: &random)
          switch Int.random(in: 0..<12, using: &random) {
          case 0..<chance:
            next += 1
            owner.insert(next, at: place)
            model.insert(next, at: place)
          case 10 where place < most:
            next += 1
            let old = model[place]
            owner.list.replace(at: place, with: next)
            owner.chunks[next] = owner.chunks.removeValue(forKey: old)
            model[place] = next
          case 11:
            var copy = owner.list
            let more = (0..<Int.random(in: 0...30, using: &random)).map { $0 + 100_000 }
            copy.insert(contentsOf: more, at: place)
            #expect(copy.array == Array(model[..<place]) + more + model[place...])
            checkInvariants(copy)
          default:
            if place < most { #expect(owner.remove(at: place) == model.remove(at: place)) }
          }
          compare(owner, model, &random)
          checkInvariants(owner.list)
        }
      }
      while !model.isEmpty {
        let place = Int.random(in: 0..<model.count, using: &random)
        #expect(owner.remove(at: place) == model.remove(at: place))
        checkInvariants(owner.list)
      }
      #expect(owner.list.chunks.isEmpty && owner.chunks.isEmpty)
    }
  }

  @Test func aCopyStaysAsItIsAndSharesChunks() {
    let original = ChunkedList(0..<1000, capacity: 64)
    var changed = original
    changed.insert(-1, at: 500)
    changed.remove(at: 10)
    #expect(original.array == Array(0..<1000) && changed.count == 1000)
    func addresses(_ list: ChunkedList<Int>) -> Set<UnsafeRawPointer> {
      Set(list.chunks.compactMap { $0.elements.withUnsafeBytes(\.baseAddress) })
    }
    // Only the two chunks that were changed are not shared.
    #expect(addresses(original).subtracting(addresses(changed)).count == 2)
  }

  @Test func sumsAreThoseOfTheValues() {
    var random = SeededGenerator(for: "prefix sums")
    for count in 0..<40 {
      var values = (0..<count).map { _ in Int.random(in: 0...4, using: &random) }
      var sums = PrefixSums(values)
      if count > 2 {
        sums.add(3, at: 1)
        values[1] += 3
        sums.insert(2, at: count / 2)
        values.insert(2, at: count / 2)
        sums.remove(at: 0)
        values.remove(at: 0)
      }
      #expect(sums.values == values)
      for index in 0...values.count { #expect(sums.sum(before: index) == values[..<index].reduce(0, +)) }
      let total = values.reduce(0, +)
      let pieces = values.enumerated().flatMap { index, length in (0..<length).map { (index, $0) } }
      for place in 0..<total { #expect(sums.piece(at: place) == pieces[place]) }
      #expect(sums.piece(at: total) == (values.count, 0))
    }
  }

  @Test func numbersThatAreMissingInAList() {
    #expect(Bisection.firstNumber(in: 3..<9, notIn: []) == 3)
    #expect(Bisection.firstNumber(in: 3..<9, notIn: [1, 3, 4, 5, 7]) == 6)
    #expect(Bisection.firstNumber(in: 3..<6, notIn: [3, 4, 5, 6]) == 6)
    #expect(Bisection.firstNumber(in: 2..<6, notIn: [3, 4]) == 2)
  }

  @Test func chunksOfKeys() {
    var dense = KeyChunks(count: 10, greatest: 12)
    for key in [Int64(1), 12, 13, 14, 500, -3] { dense[key] = Int(key) + 5 }
    dense[500] = nil
    #expect([Int64(1), 12, 13, 14, 500, -3, 2, 15].map { dense[$0] } == [6, 17, 18, 19, nil, 2, nil, nil])
    var sparse = KeyChunks(count: 2, greatest: 1 << 40)
    sparse[1 << 40] = 0
    sparse[0] = 1
    #expect(sparse[1 << 40] == 0 && sparse[0] == 1 && sparse[1] == nil)
  }
}

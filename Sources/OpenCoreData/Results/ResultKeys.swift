import Foundation

/// The keys of a list of rows of one store, in order, and the place of each.
///
/// An element is a row's key with the number of its entity, in one word: a million of them take 11 MB. An object that no
/// store has is an element by its temporary key, which is negative.
struct ResultKeys {
  /// A key with the number of its entity.
  struct Element: Equatable, Sendable {
    private let word: Int64
    private static let keyBits: Int64 = 47

    /// Makes an element of a stored row; nil if one of the numbers is too great.
    init?(key: Int64, entity: Int) {
      guard key > 0, key >> Self.keyBits == 0, entity >= 0, entity < 1 << 16 else { return nil }
      word = key | Int64(entity) << Self.keyBits
    }

    init(temporary key: Int64) { word = key }

    var isTemporary: Bool { word < 0 }
    /// The permanent or temporary key.
    var key: Int64 { isTemporary ? word : word & ((1 << Self.keyBits) - 1) }
    var entity: Int32 { isTemporary ? 0 : Int32(truncatingIfNeeded: word >> Self.keyBits) }
  }

  private(set) var list: ChunkedList<Element>
  /// The chunk of each key; nil until it is needed.
  private var chunks: KeyChunks?

  init(_ elements: [Element]) { list = ChunkedList(elements) }

  /// Returns the place of a key in O(log n); nil if it is not in the list.
  mutating func place(of key: Int64) -> Int? {
    if chunks == nil { noteChunks() }
    guard let chunk = chunks?[key] else { return nil }
    return list.elements(ofChunk: chunk).firstIndex { $0.key == key }.map { list.start(ofChunk: chunk) + $0 }
  }

  /// The same keys. Only one of the two keeps the places.
  func copy() -> ResultKeys {
    var copy = self
    copy.chunks = nil
    return copy
  }

  mutating func remove(at place: Int) -> Element {
    let (element, relocation) = list.remove(at: place)
    chunks?[element.key] = nil
    note(relocation)
    return element
  }

  mutating func insert(_ element: Element, at place: Int) {
    note(list.insert(element, at: place))
    if chunks != nil { chunks?[element.key] = list.chunk(at: place) }
  }

  mutating func replace(at place: Int, with element: Element) {
    chunks?[list[place].key] = nil
    list.replace(at: place, with: element)
    if chunks != nil { chunks?[element.key] = list.chunk(at: place) }
  }

  private mutating func noteChunks() {
    let greatest = list.chunks.reduce(0) { max($0, $1.elements.reduce(0) { max($0, $1.key) }) }
    var noted = KeyChunks(count: list.count, greatest: greatest)
    for chunk in list.chunks {
      for element in chunk.elements { noted[element.key] = chunk.number }
    }
    chunks = noted
  }

  private mutating func note(_ relocation: ChunkedList<Element>.Relocation?) {
    guard chunks != nil, let relocation else { return }
    for element in list.elements(ofChunk: relocation.chunk)[relocation.offsets] {
      chunks?[element.key] = relocation.chunk
    }
  }
}

/// The number of a chunk for each key.
///
/// Stores number their rows one by one, so a row of numbers from 1 to the greatest key is short, and takes four bytes a
/// key. Keys beyond it, temporary ones too, are in a dictionary.
struct KeyChunks {
  /// The chunks of keys up to the greatest, plus one; 0 for none.
  private var dense: ContiguousArray<UInt32>
  private var others: [Int64: UInt32] = [:]

  /// - Parameter greatest: the greatest key. If it is far greater than the count, all keys are in the dictionary.
  init(count: Int, greatest: Int64) {
    let isDense = greatest <= Int64(count) * 4 + 1024
    dense = ContiguousArray(repeating: 0, count: isDense ? Int(greatest) + 1 : 0)
  }

  subscript(key: Int64) -> Int? {
    get {
      let noted = key >= 0 && key < dense.count ? dense[Int(key)] : others[key] ?? 0
      return noted == 0 ? nil : Int(noted) - 1
    }
    set {
      let noted = newValue.map { UInt32($0 + 1) } ?? 0
      // New rows have the next keys.
      if key == dense.count, noted != 0, !dense.isEmpty {
        dense.append(noted)
        others[key] = nil
      } else if key >= 0 && key < dense.count {
        dense[Int(key)] = noted
      } else {
        others[key] = noted == 0 ? nil : noted
      }
    }
  }
}

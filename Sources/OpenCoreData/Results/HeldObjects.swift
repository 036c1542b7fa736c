import Foundation

/// The objects of a list that changes, all of them alive.
///
/// They are an array as long as nothing has changed, and after that a ``ChunkedList``, in which the chunk of each object
/// is known. The array for readers of all objects is made when it is asked for, and changed along with the list from one
/// reading to the next.
struct HeldObjects {
  /// All objects in an array, if it is there; one of `array` and `list` always is.
  private var array: [NSManagedObject]?
  /// Whether the array was read since the last change.
  private var isArrayRead = false
  private var list: ChunkedList<NSManagedObject>?
  /// The chunk of each object; nil until it is needed.
  private var chunks: [ObjectIdentifier: Int]?
  /// Lists up to this length are searched from the beginning.
  private static let shortList = 32

  init(_ objects: [NSManagedObject]) { array = objects }

  var count: Int { array?.count ?? list?.count ?? 0 }

  subscript(place: Int) -> NSManagedObject {
    if let array { return array[place] }
    guard let list else { preconditionFailure("there is neither array nor list") }
    return list[place]
  }

  /// Returns all objects.
  mutating func all() -> [NSManagedObject] {
    isArrayRead = true
    if let array { return array }
    let made = list?.array ?? []
    array = made
    return made
  }

  /// Returns a place in the middle of a range; see ``ChunkedList/middle(of:)``.
  func middle(of range: Range<Int>) -> Int { list?.middle(of: range) ?? range.lowerBound + range.count / 2 }

  /// Returns the place of an object in O(log n); nil if it is not in the list.
  mutating func place(of object: NSManagedObject) -> Int? {
    if count <= Self.shortList { return (0..<count).first { self[$0] === object } }
    if chunks == nil { noteChunks() }
    guard let list, let chunk = chunks?[ObjectIdentifier(object)] else { return nil }
    return list.elements(ofChunk: chunk).firstIndex { $0 === object }.map { list.start(ofChunk: chunk) + $0 }
  }

  /// The same objects. Only one of the two keeps the places.
  func copy() -> HeldObjects {
    var copy = self
    copy.chunks = nil
    return copy
  }

  // MARK: Changing

  mutating func apply(_ edit: ResultsEdit) {
    if edit.isLarge(for: count) {
      var objects = array ?? list?.array ?? []
      (array, list, chunks) = (nil, nil, nil)
      edit.apply(to: &objects) { $0 }
      array = objects
    } else {
      if list == nil { list = ChunkedList(array ?? []) }
      if isArrayRead, edit.isSmall {
        edit.apply(to: &array) { $0 }
      } else {
        array = nil
      }
      for place in edit.removed.reversed() { remove(at: place) }
      for (number, coming) in edit.coming.enumerated() { insert(coming.object, at: coming.base + number) }
    }
    isArrayRead = false
  }

  private mutating func remove(at place: Int) {
    guard let (object, relocation) = list?.remove(at: place) else { return }
    chunks?[ObjectIdentifier(object)] = nil
    note(relocation)
  }

  private mutating func insert(_ object: NSManagedObject, at place: Int) {
    note(list?.insert(object, at: place))
    if chunks != nil, let list { chunks?[ObjectIdentifier(object)] = list.chunk(at: place) }
  }

  private mutating func noteChunks() {
    let list = list ?? ChunkedList(array ?? [])
    self.list = list
    var noted = [ObjectIdentifier: Int](minimumCapacity: list.count)
    for chunk in list.chunks {
      for object in chunk.elements { noted[ObjectIdentifier(object)] = chunk.number }
    }
    chunks = noted
  }

  private mutating func note(_ relocation: ChunkedList<NSManagedObject>.Relocation?) {
    guard chunks != nil, let relocation, let list else { return }
    for object in list.elements(ofChunk: relocation.chunk)[relocation.offsets] {
      chunks?[ObjectIdentifier(object)] = relocation.chunk
    }
  }
}

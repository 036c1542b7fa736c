import Foundation

/// A list of objects of one store that changes, of which only the most recently used pages are in memory.
///
/// The rows are known by their keys: those that were fetched, as long as nothing has changed, and after that
/// ``ResultKeys``. An object that no store has is kept alive until it is saved. A page is a range of places whose objects
/// were made together. It moves along when objects before it come and go, and so do objects in it.
struct PagedObjects {
  private let context: NSManagedObjectContext
  private let pageSize: Int
  private let pageLimit = 8
  /// The fetched entries, and then entries without keys, which make the objects of other keys.
  private var entries: FetchedEntries
  private var keys: ResultKeys?
  /// The objects of temporary keys, and the temporary key of each.
  private var unsaved: [Int64: NSManagedObject] = [:]
  private var unsavedKeys: [ObjectIdentifier: Int64] = [:]
  /// The pages in memory, the one that was asked for last at the end.
  private var pages: [(start: Int, objects: ContiguousArray<NSManagedObject>)] = []
  /// The objects that binary searches have met last. They are often met again, and stay alive for that.
  private var asked: [NSManagedObject] = []
  private let askedLimit = 64

  /// Nil if the objects do not have one store.
  init?(_ fetched: OCDFetchedPages<NSManagedObject>) {
    guard fetched.entries.onlyStore != nil else { return nil }
    context = fetched.context
    pageSize = fetched.pageSize
    entries = fetched.entries
  }

  var count: Int { keys?.list.count ?? entries.keys.count }

  // MARK: Objects

  /// Returns the object at a place; its page is made if it is not in memory.
  subscript(place: Int) -> NSManagedObject {
    mutating get {
      if let last = pages.last, last.start <= place, place - last.start < last.objects.count {
        return last.objects[place - last.start]
      }
      if let known = pages.firstIndex(where: { $0.start <= place && place - $0.start < $0.objects.count }) {
        pages.append(pages.remove(at: known))
      } else {
        if pages.count >= pageLimit { pages.removeFirst(pages.count - pageLimit + 1) }
        let start = place / pageSize * pageSize
        pages.append((start, objects(start..<min(start + pageSize, count))))
      }
      let page = pages[pages.count - 1]
      return page.objects[place - page.start]
    }
  }

  /// Returns the object at a place for a comparison with another object. If its page is not in memory, only this object
  /// is made: a binary search looks at objects that are far from each other.
  mutating func asked(_ place: Int) -> NSManagedObject {
    if let page = pages.first(where: { $0.start <= place && place - $0.start < $0.objects.count }) {
      return page.objects[place - page.start]
    }
    let object = objects(place..<place + 1)[0]
    if asked.count >= askedLimit { asked.removeFirst(askedLimit / 2) }
    asked.append(object)
    return object
  }

  /// Returns the objects of all places.
  func all() -> [NSManagedObject] { Array(objects(0..<count)) }

  /// Returns the ID of the object at a place, without making it.
  func objectID(at place: Int) -> NSManagedObjectID {
    guard let keys else { return entries.objectID(at: place) }
    let element = keys.list[place]
    if let object = unsaved[element.key] { return object.objectID }
    return entries.others(keys: [element.key], entities: [element.entity]).objectID(at: 0)
  }

  /// Returns the objects of a range. Those that are not registered become faults that fire by pages.
  private func objects(_ range: Range<Int>) -> ContiguousArray<NSManagedObject> {
    guard let keys else { return entries.objects(range, pageSize: pageSize, in: context) }
    let elements = keys.list[range]
    let stored = elements.filter { !$0.isTemporary }
    if stored.isEmpty { return ContiguousArray(elements.compactMap { unsaved[$0.key] }) }
    let made = entries.others(keys: ContiguousArray(stored.map(\.key)), entities: ContiguousArray(stored.map(\.entity)))
      .objects(0..<stored.count, pageSize: pageSize, in: context)
    if unsaved.isEmpty { return made }
    var next = made.makeIterator()
    return ContiguousArray(elements.compactMap { $0.isTemporary ? unsaved[$0.key] : next.next() })
  }

  // MARK: Places

  /// Returns a place in the middle of a range; see ``ChunkedList/middle(of:)``.
  func middle(of range: Range<Int>) -> Int { keys?.list.middle(of: range) ?? range.lowerBound + range.count / 2 }

  /// Returns the place of an object if its page is in memory.
  func placeInPages(of object: NSManagedObject) -> Int? {
    for page in pages.reversed() {
      if let offset = page.objects.firstIndex(where: { $0 === object }) { return page.start + offset }
    }
    return nil
  }

  /// Returns the place of an object; nil if it is not in the list. The list of keys must be prepared.
  mutating func place(of object: NSManagedObject) -> Int? {
    if let key = unsavedKeys[ObjectIdentifier(object)] { return place(ofKey: key) }
    return entries.mayHave(object) ? place(ofKey: object.key) : nil
  }

  /// Returns the object with an ID if it is in the list. The list of keys must be prepared.
  mutating func object(with id: NSManagedObjectID) -> NSManagedObject? {
    guard entries.mayHave(id), let place = place(ofKey: id.key) else { return nil }
    return objects(place..<place + 1)[0]
  }

  private mutating func place(ofKey key: Int64) -> Int? { keys?.place(of: key) }

  /// The same list. Only one of the two keeps the places.
  func copy() -> PagedObjects {
    var copy = self
    copy.keys = keys?.copy()
    return copy
  }

  // MARK: Changing

  /// Makes the list of keys that can be changed. It is empty until then, since most lists do not change.
  /// - Returns: false if some keys cannot be elements of that list.
  mutating func prepare() -> Bool {
    if keys != nil { return true }
    let common = entries.commonEntityNumber
    var elements: [ResultKeys.Element] = []
    elements.reserveCapacity(count)
    for (index, key) in entries.keys.enumerated() {
      let entity = common ?? entries.entityNumber(at: index)
      guard let element = ResultKeys.Element(key: key, entity: entity) else { return false }
      elements.append(element)
    }
    keys = ResultKeys(elements)
    entries = entries.others(keys: [], entities: [])
    return true
  }

  /// Whether the objects that the edit brings can be elements of the list.
  func canApply(_ edit: ResultsEdit) -> Bool {
    edit.coming.allSatisfy { $0.object.key < 0 || element($0.object) != nil && entries.mayHave($0.object) }
  }

  /// Applies an edit. The list of keys must be prepared.
  mutating func apply(_ edit: ResultsEdit) {
    if edit.isLarge(for: count), let list = keys?.list {
      var elements = list.array
      for place in edit.removed { forget(elements[place]) }
      edit.apply(to: &elements) { noted($0) }
      keys = ResultKeys(elements)
      pages = []
      return
    }
    for place in edit.removed.reversed() {
      if let element = keys?.remove(at: place) { forget(element) }
      shiftPages(removed: place)
    }
    for (number, coming) in edit.coming.enumerated() {
      let element = noted(coming.object)
      keys?.insert(element, at: coming.base + number)
      shiftPages(inserted: coming.object, at: coming.base + number)
    }
  }

  /// Replaces temporary keys by the permanent keys that objects have got.
  mutating func settle() {
    for (key, object) in unsaved where entries.mayHave(object) && !object.isDetached {
      guard let element = element(object), let place = place(ofKey: key) else { continue }
      keys?.replace(at: place, with: element)
      forget(ResultKeys.Element(temporary: key))
    }
  }

  private func element(_ object: NSManagedObject) -> ResultKeys.Element? {
    ResultKeys.Element(key: object.key, entity: entries.onlyStore?.number(of: object) ?? 0)
  }

  /// Returns the element of an object that comes into the list.
  private mutating func noted(_ object: NSManagedObject) -> ResultKeys.Element {
    if let element = element(object) { return element }
    unsaved[object.key] = object
    unsavedKeys[ObjectIdentifier(object)] = object.key
    return ResultKeys.Element(temporary: object.key)
  }

  private mutating func forget(_ element: ResultKeys.Element) {
    guard element.isTemporary, let object = unsaved.removeValue(forKey: element.key) else { return }
    unsavedKeys[ObjectIdentifier(object)] = nil
  }

  private mutating func shiftPages(removed place: Int) {
    for index in pages.indices {
      let offset = place - pages[index].start
      if offset < 0 {
        pages[index].start -= 1
      } else if offset < pages[index].objects.count {
        pages[index].objects.remove(at: offset)
      }
    }
    pages.removeAll(where: \.objects.isEmpty)
  }

  private mutating func shiftPages(inserted object: NSManagedObject, at place: Int) {
    for index in pages.indices {
      let offset = place - pages[index].start
      if offset <= 0 {
        pages[index].start += 1
      } else if offset < pages[index].objects.count {
        pages[index].objects.insert(object, at: offset)
      }
    }
  }
}

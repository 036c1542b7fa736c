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
  var entries: FetchedEntries
  var keys: ResultKeys?
  /// The objects of temporary keys, and the temporary key of each.
  var unsaved: [Int64: NSManagedObject] = [:]
  var unsavedKeys: [ObjectIdentifier: Int64] = [:]
  /// The pages in memory, the one that was asked for last at the end.
  var pages: [(start: Int, objects: ContiguousArray<NSManagedObject>)] = []
  /// The objects that binary searches have met.
  var met = MetObjects()

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
    return objects(keys.list[range], batchSize: pageSize)
  }

  /// Returns the objects of places, in their order. Those that are not registered become faults that fire together.
  func objects(at places: [Int]) -> ContiguousArray<NSManagedObject> {
    if let keys { return objects(ContiguousArray(places.map { keys.list[$0] }), batchSize: places.count) }
    let several = entries.commonEntityNumber == nil
    return entries.others(
      keys: ContiguousArray(places.map { entries.keys[$0] }),
      entities: several ? ContiguousArray(places.map { Int32(entries.entityNumber(at: $0)) }) : []
    ).objects(0..<places.count, pageSize: places.count, in: context)
  }

  private func objects(
    _ elements: ContiguousArray<ResultKeys.Element>, batchSize: Int
  ) -> ContiguousArray<NSManagedObject> {
    let stored = elements.filter { !$0.isTemporary }
    if stored.isEmpty { return ContiguousArray(elements.compactMap { unsaved[$0.key] }) }
    let made = entries.others(keys: ContiguousArray(stored.map(\.key)), entities: ContiguousArray(stored.map(\.entity)))
      .objects(0..<stored.count, pageSize: batchSize, in: context)
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

  /// Returns those objects with these IDs that are in the list. The list of keys must be prepared.
  mutating func objects(with ids: [NSManagedObjectID]) -> ContiguousArray<NSManagedObject> {
    var places: [Int] = []
    for id in ids where entries.mayHave(id) {
      if let place = place(ofKey: id.key) { places.append(place) }
    }
    return places.isEmpty ? [] : objects(at: places)
  }

  mutating func place(ofKey key: Int64) -> Int? { keys?.place(of: key) }

  /// The same list. Only one of the two keeps the places.
  func copy() -> PagedObjects {
    var copy = self
    copy.keys = keys?.copy()
    return copy
  }
}

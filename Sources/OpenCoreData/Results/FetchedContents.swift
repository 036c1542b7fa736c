import Foundation

/// A controller's fetched objects, in order and by sections. It is a class, so that looking at one object copies no
/// lists.
final class FetchedContents {
  /// Results that are no objects, dictionaries for instance: they are listed and not tracked.
  let rows: [Any]
  @exclusivity(unchecked) var sections: SectionTable
  private let list: ObjectList

  /// The list of the objects.
  private enum ObjectList {
    case all([NSManagedObject])
    case pages(PagedObjects)
  }

  init(objects: [NSManagedObject], sections: SectionTable) {
    list = .all(objects)
    rows = []
    self.sections = sections
  }

  /// Objects in pages, of which only those used lately are in memory.
  init(pages: OCDFetchedPages<NSManagedObject>) {
    list = .pages(PagedObjects(pages))
    rows = []
    sections = SectionTable(count: pages.count)
  }

  init(rows: [Any]) {
    list = .all([])
    self.rows = rows
    sections = SectionTable(count: rows.count)
  }

  /// All objects. Objects that have been pages of keys so far are made now, and are kept from then on.
  var objects: [NSManagedObject] {
    switch list {
    case .all(let objects): objects
    case .pages(let paged): paged.all
    }
  }

  var objectCount: Int {
    switch list {
    case .all(let objects): objects.count
    case .pages(let paged): paged.pages.count
    }
  }

  /// The IDs of all objects. For objects in pages no ID is made until it is used.
  var snapshotItems: SnapshotItems {
    if case .pages(let paged) = list, paged.known == nil { return SnapshotItems(paged.pages) }
    return SnapshotItems(objects)
  }

  var count: Int { rows.isEmpty ? objectCount : rows.count }

  /// The object at a place.
  func object(_ place: Int) -> NSManagedObject {
    switch list {
    case .all(let objects): objects[place]
    case .pages(let paged): paged.known == nil ? paged.pages[place] : paged.all[place]
    }
  }

  /// The object or object ID at a place, as the fetch request returns it.
  func element(_ place: Int, asIDs: Bool) -> Any {
    if !rows.isEmpty { return rows[place] }
    return asIDs ? object(place).objectID : object(place)
  }

  /// The position of an object. `positions` has those of all objects, and is not needed while not all objects are in memory.
  func place(of object: NSManagedObject, _ positions: inout ObjectPositions) -> Int? {
    if case .pages(let paged) = list, paged.known == nil { return paged.pages.place(of: object) }
    return positions.place(of: object, in: objects)
  }

  func indexPath(_ place: Int) -> IndexPath { sections.indexPath(place) }
}

/// Objects in pages, until all objects are needed. Belongs to the context's queue.
private final class PagedObjects {
  let pages: OCDFetchedPages<NSManagedObject>
  @exclusivity(unchecked) private(set) var known: [NSManagedObject]?

  init(_ pages: OCDFetchedPages<NSManagedObject>) { self.pages = pages }

  var all: [NSManagedObject] {
    if let known { return known }
    let made = pages.all()
    known = made
    return made
  }
}

extension SectionTable {
  /// The index path of a place in the list of all objects.
  func indexPath(_ place: Int) -> IndexPath {
    let section = section(at: place)
    return IndexPath(item: place - starts[section], section: section)
  }
}

import Foundation

/// A controller's fetched objects, in order and by sections. It is a class, so that reading one object copies no lists.
final class FetchedContents {
  /// Results that are no objects, for example dictionaries. They are listed, but their changes are not followed.
  let rows: [Any]
  @exclusivity(unchecked) var sections: SectionTable
  private let list: ObjectList

  /// The storage of the objects.
  private enum ObjectList {
    case all([NSManagedObject])
    case pages(PagedObjects)
  }

  init(objects: [NSManagedObject], sections: SectionTable) {
    list = .all(objects)
    rows = []
    self.sections = sections
  }

  /// Makes contents that are read page by page: only the pages that were used last are in memory.
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

  /// All objects. If the contents have been pages of keys so far, all objects are made now and kept from then on.
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

  /// The IDs of all objects. Objects in pages are not made for this.
  var snapshotItems: SnapshotItems {
    if case .pages(let paged) = list, paged.known == nil { return SnapshotItems(paged.pages) }
    return SnapshotItems(objects)
  }

  var count: Int { rows.isEmpty ? objectCount : rows.count }

  /// Returns the object at a place.
  func object(_ place: Int) -> NSManagedObject {
    switch list {
    case .all(let objects): objects[place]
    case .pages(let paged): paged.known == nil ? paged.pages[place] : paged.all[place]
    }
  }

  /// Returns the object or object ID at a place, as the fetch request returns it.
  func element(_ place: Int, asIDs: Bool) -> Any {
    if !rows.isEmpty { return rows[place] }
    return asIDs ? object(place).objectID : object(place)
  }

  /// Returns the place of an object. `positions` has the places in the list of all objects; it is not used until that
  /// list has been made.
  func place(of object: NSManagedObject, _ positions: inout ObjectPositions) -> Int? {
    if case .pages(let paged) = list, paged.known == nil { return paged.pages.place(of: object) }
    return positions.place(of: object, in: objects)
  }

  func indexPath(_ place: Int) -> IndexPath { sections.indexPath(place) }
}

/// Objects in pages, until all of them are needed. Belongs to the context's queue.
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
  /// Returns the index path of a place in the list of all objects.
  func indexPath(_ place: Int) -> IndexPath {
    let section = section(at: place)
    return IndexPath(item: place - starts[section], section: section)
  }
}

import Foundation

/// A controller's fetched objects, in order and by sections. It is a class, so that reading one object copies no lists,
/// and is changed in place when the objects change.
///
/// A copy shares the structure of the lists with the original, and stays as it is.
final class FetchedContents {
  /// Results that are no objects, for example dictionaries. They are listed, but their changes are not followed.
  let rows: [Any]
  @exclusivity(unchecked) var sections: SectionTable
  /// The objects, unless they are in pages.
  @exclusivity(unchecked) var held: HeldObjects
  @exclusivity(unchecked) var pages: PagedObjects?

  init(objects: [NSManagedObject], sections: SectionTable) {
    held = HeldObjects(objects)
    rows = []
    self.sections = sections
  }

  /// Makes contents that are read page by page: only the pages that were used last are in memory.
  init(pages: OCDFetchedPages<NSManagedObject>) {
    self.pages = PagedObjects(pages)
    held = HeldObjects(self.pages == nil ? Array(pages) : [])
    rows = []
    sections = SectionTable(count: pages.count)
  }

  init(rows: [Any]) {
    held = HeldObjects([])
    self.rows = rows
    sections = SectionTable(count: rows.count)
  }

  private init(copyOf other: FetchedContents) {
    rows = other.rows
    sections = other.sections.copy()
    held = other.held.copy()
    pages = other.pages?.copy()
  }

  func copy() -> FetchedContents { FetchedContents(copyOf: self) }

  // MARK: Objects

  /// All objects in an array. If the contents have been pages so far, all objects are made now and kept from then on.
  var objects: [NSManagedObject] {
    holdAll()
    return held.all()
  }

  private func holdAll() {
    guard let all = pages?.all() else { return }
    held = HeldObjects(all)
    pages = nil
  }

  /// Whether only the objects of some pages are in memory.
  var isPaged: Bool { pages != nil }

  var objectCount: Int { pages?.count ?? held.count }

  var count: Int { rows.isEmpty ? objectCount : rows.count }

  /// Returns the object at a place.
  func object(_ place: Int) -> NSManagedObject { pages?[place] ?? held[place] }

  /// Returns the object at a place for a comparison with another object; no page is made for it.
  func asked(_ place: Int) -> NSManagedObject { pages?.asked(place) ?? held[place] }

  /// Returns the object or object ID at a place, as the fetch request returns it.
  func element(_ place: Int, asIDs: Bool) -> Any {
    if !rows.isEmpty { return rows[place] }
    return asIDs ? object(place).objectID : object(place)
  }

  /// The IDs of all objects. Objects in pages are not made for this.
  var snapshotItems: SnapshotItems {
    if let pages { return SnapshotItems((0..<pages.count).map(pages.objectID)) }
    return SnapshotItems((0..<held.count).lazy.map { self.held[$0] })
  }

  // MARK: Places

  /// Returns the place of an object in O(log n); nil if it is not among the objects.
  func place(of object: NSManagedObject) -> Int? {
    if let place = pages?.placeInPages(of: object) { return place }
    preparePages()
    return pages == nil ? held.place(of: object) : pages?.place(of: object)
  }

  /// Makes the list of the pages' keys; or all objects, if their keys cannot be in it.
  private func preparePages() {
    if pages?.prepare() == false { holdAll() }
  }

  func indexPath(_ place: Int) -> IndexPath { sections.indexPath(place) }

  /// Returns those of the objects with these IDs that only the keys of pages are known of.
  func pagedObjects(with ids: [NSManagedObjectID]) -> [NSManagedObject] {
    preparePages()
    return Array(pages?.objects(with: ids) ?? [])
  }

  // MARK: Changing

  /// Applies an edit in place.
  func apply(_ edit: ResultsEdit) {
    preparePages()
    if pages?.canApply(edit) == false { holdAll() }
    if pages == nil { held.apply(edit) } else { pages?.apply(edit) }
    sections.apply(edit)
  }

  /// Called after a save, which gives permanent keys to objects.
  func settle() { pages?.settle() }
}

extension SectionTable {
  /// Returns the index path of a place in the list of all objects.
  func indexPath(_ place: Int) -> IndexPath {
    let section = section(at: place)
    return IndexPath(item: place - start(section), section: section)
  }
}

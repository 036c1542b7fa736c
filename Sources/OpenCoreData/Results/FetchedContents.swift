import Foundation

/// What a controller has fetched, in order and by sections.
struct FetchedContents {
  var objects: [NSManagedObject] = []
  /// Results that are no objects, dictionaries for instance: they are listed and not tracked.
  var rows: [Any] = []
  var sections: SectionTable

  var count: Int { objects.isEmpty ? rows.count : objects.count }

  /// What stands at a place, as the fetch request gives it.
  func element(_ place: Int, asIDs: Bool) -> Any {
    if objects.isEmpty { return rows[place] }
    return asIDs ? objects[place].objectID : objects[place]
  }

  func indexPath(_ place: Int) -> IndexPath { sections.indexPath(place) }
}

extension SectionTable {
  /// The index path of a place in the list of all objects.
  func indexPath(_ place: Int) -> IndexPath {
    let section = section(at: place)
    return IndexPath(item: place - starts[section], section: section)
  }
}

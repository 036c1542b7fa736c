import Foundation

/// A section of what a fetched results controller has fetched.
public protocol NSFetchedResultsSectionInfo {
  /// The value of the section key path as text; empty where there is no key path.
  var name: String { get }

  /// The section's index title: the result of the controller's `sectionIndexTitle(forSectionName:)` for the name.
  var indexTitle: String? { get }

  /// How many objects the section has.
  var numberOfObjects: Int { get }

  /// The section's objects, as they were when the controller gave the section.
  var objects: [Any]? { get }
}

/// A section as it was when the controller was asked for it.
final class FetchedSection: NSFetchedResultsSectionInfo {
  let name: String
  let range: Range<Int>
  private let contents: FetchedContents
  private weak var results: FetchedResults?

  /// - Parameter isDeleted: whether the section has gone: then it has no objects.
  init(_ index: Int, of contents: FetchedContents, _ results: FetchedResults, isDeleted: Bool = false) {
    name = contents.sections.names[index].text
    range = isDeleted ? 0..<0 : contents.sections.range(index)
    self.contents = contents
    self.results = results
  }

  var numberOfObjects: Int { range.count }

  var objects: [Any]? { range.map { contents.element($0, asIDs: results?.givesIDs ?? false) } }

  var indexTitle: String? { results?.owner?.indexTitle(ofSection: name) }
}

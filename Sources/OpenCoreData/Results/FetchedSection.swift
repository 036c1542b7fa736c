import Foundation

/// A section in its state when the controller was asked for it.
///
/// As long as the section has the same objects in the controller's contents, it reads them there; its place is found by
/// its name. Before the section changes there, it gets a copy of the contents, which shares their structure.
final class FetchedSection: NSFetchedResultsSectionInfo {
  let name: String
  let numberOfObjects: Int
  /// The contents that have the objects; nil if there are none.
  private var contents: FetchedContents?
  /// The section's range in a copy of the contents; nil in the controller's contents.
  private var range: Range<Int>?
  private weak var results: FetchedResults?

  /// Makes a section without objects: one that was deleted.
  init(deleted name: SectionName, _ results: FetchedResults) {
    self.name = name.text
    numberOfObjects = 0
    self.results = results
  }

  /// - Parameters:
  ///   - contents: the contents of a controller, or a copy.
  ///   - range: the section's range, for a copy.
  init(
    _ section: CountedSection<String>, of contents: FetchedContents, range: Range<Int>? = nil, _ results: FetchedResults
  ) {
    name = section.identifier
    numberOfObjects = section.count
    self.contents = contents
    self.range = range
    self.results = results
  }

  /// Makes the section read its objects in a copy of the contents from now on.
  func keep(_ copy: FetchedContents, _ range: Range<Int>) {
    contents = copy
    self.range = range
  }

  var objects: [Any]? {
    guard let contents, let range = range ?? currentRange(contents) else { return [] }
    return range.map { contents.element($0, asIDs: results?.givesIDs ?? false) }
  }

  private func currentRange(_ contents: FetchedContents) -> Range<Int>? {
    contents.sections.section(named: SectionName(name)).map(contents.sections.range)
  }

  var indexTitle: String? { results?.owner?.indexTitle(ofSection: name) }
}

import Foundation

/// The controller that is passed to delegates in place of a controller whose result type is not `any
/// NSFetchRequestResult`.
final class ErasedResultsController: NSFetchedResultsController<any NSFetchRequestResult> {
  /// The controller that this controller stands for; nil once that controller has been released.
  private weak var original: (any ResultsOverrides)?

  init(
    _ original: any ResultsOverrides, _ results: FetchedResults, _ request: NSFetchRequest<any NSFetchRequestResult>
  ) {
    self.original = original
    super.init(standingFor: results, request)
  }

  override func performFetch() throws {
    guard let original else { return try super.performFetch() }
    try original.performFetch()
  }

  override var sectionIndexTitles: [String] { original?.sectionIndexTitles ?? super.sectionIndexTitles }

  override func sectionIndexTitle(forSectionName sectionName: String) -> String? {
    guard let original else { return super.sectionIndexTitle(forSectionName: sectionName) }
    return original.sectionIndexTitle(forSectionName: sectionName)
  }

  override func section(forSectionIndexTitle title: String, at sectionIndex: Int) -> Int {
    guard let original else { return super.section(forSectionIndexTitle: title, at: sectionIndex) }
    return original.section(forSectionIndexTitle: title, at: sectionIndex)
  }
}

/// The methods of a controller that a subclass may override.
protocol ResultsOverrides: AnyObject {
  func performFetch() throws
  var sectionIndexTitles: [String] { get }
  func sectionIndexTitle(forSectionName sectionName: String) -> String?
  func section(forSectionIndexTitle title: String, at sectionIndex: Int) -> Int
}

extension NSFetchedResultsController: ResultsOverrides {}

import Foundation
import OpenCocoaFoundation

/// The implementation of a fetched results controller of any result type: it holds the fetched objects, keeps them up
/// to date, and tells delegate and sequences about changes. Belongs to the context's queue.
final class FetchedResults {
  let request: any AnyFetchRequest
  let context: NSManagedObjectContext
  let sectionNameKeyPath: String?
  let cacheName: String?
  weak var owner: (any FetchedResultsOwner)?
  weak var delegate: (any NSFetchedResultsControllerDelegate)? {
    didSet { missingMethods = delegate.map(DelegateMethodsKnown.missing(of:)) ?? [] }
  }

  /// Nil before the first fetch.
  @exclusivity(unchecked) var contents: FetchedContents? {
    didSet { knownSections = nil }
  }
  /// The fetch that the contents come from.
  var fetch: TrackedFetch?
  /// Increases with every fetch, so that changes that were computed for older contents are not applied to newer ones.
  var generation = 0
  /// True after a reset of the context: until the next fetch there is nothing to keep up to date.
  var isStale = false
  /// Whether the context reports its events to this object.
  var isRegistered = false
  /// Whether a delegate is being told, and the events that have ended in the meantime.
  var isTelling = false
  var waiting: [ContextChanges] = []
  /// Objects that other contexts have deleted, and that are alive only until the context has reported that.
  var deletedElsewhere: [NSManagedObject] = []

  /// The request for which a cache was used, and the number of deletions of that cache at that time.
  var cachedRequest: (text: String, deletions: Int)?

  /// The methods that the delegate is known not to have.
  var missingMethods: DelegateMethods = []
  let broadcast = SnapshotBroadcast()
  var snapshotItems: SnapshotItems?
  /// Identifies, in snapshots, the only section of a controller without a section key path.
  private(set) lazy var sectionIdentifier = UUID().uuidString

  /// The sections as they were given out last; nil if they were not asked for.
  var knownSections: [any NSFetchedResultsSectionInfo]?

  init(
    request: any AnyFetchRequest, context: NSManagedObjectContext, sectionNameKeyPath: String?, cacheName: String?
  ) {
    self.request = request
    self.context = context
    self.sectionNameKeyPath = sectionNameKeyPath
    self.cacheName = cacheName
  }

  deinit { broadcast.finish() }

  /// Whether the request's results are the objects' IDs.
  var givesIDs: Bool { request.resultType == .managedObjectIDResultType }

  // MARK: Access

  /// Returns the place of an index path in the list of all objects. An index path without an object stops the program.
  func place(_ indexPath: IndexPath) -> Int {
    guard let contents, indexPath.count == 2 else {
      raise(.internalInconsistency, "no object at index path \(indexPath)")
    }
    let (section, item) = (indexPath[0], indexPath[1])
    guard let range = contents.sections.rangeInPlace(section) else {
      raise(.internalInconsistency, "no section at index \(section)")
    }
    guard item >= 0, item < range.count else {
      raise(.internalInconsistency, "no object at index \(item) in section at index \(section)")
    }
    return range.lowerBound + item
  }

  /// Returns the index path of an object; nil if the object is not among the results.
  func indexPath(of element: Any) -> IndexPath? {
    guard let contents else { return nil }
    let object: NSManagedObject?
    switch element {
    case let found as NSManagedObject: object = found
    case let id as NSManagedObjectID: object = context.registeredObject(for: id)
    case let row as NSObject:
      return contents.rows.firstIndex { ($0 as? NSObject) == row }.map(contents.indexPath)
    default: return nil
    }
    return object.flatMap(contents.place).map(contents.indexPath)
  }

  /// The index titles of the sections that have one, with the sections' numbers.
  var indexTitles: [(title: String, section: Int)] {
    guard let contents, let owner else { return [] }
    return contents.sections.names.enumerated().compactMap { section, name in
      owner.indexTitle(ofSection: name.text).map { ($0, section) }
    }
  }

  /// Returns the index title that the delegate gives, or else the first letter of the name.
  func indexTitle(ofSection name: String) -> String? {
    if let delegate, let owner {
      let title = delegate.controller(owner.erased, sectionIndexTitleForSectionName: name)
      if !missingMethods.contains(.indexTitle) { return title }
    }
    return name.prefix(1).uppercased()
  }
}

/// The controller that owns the results.
protocol FetchedResultsOwner: AnyObject {
  var results: FetchedResults { get }
  /// The controller in the type in which delegates get it.
  var erased: NSFetchedResultsController<any NSFetchRequestResult> { get }

  func indexTitle(ofSection name: String) -> String?
}

/// A controller's fetch request as it was when it was executed.
struct TrackedFetch {
  let target: FetchTarget
  let affectedStores: [NSPersistentStore]?
  let resultType: NSFetchRequestResultType
  /// Whether the entity has derived attributes: a save may then change values by which the objects are sorted.
  let hasDerivedAttributes: Bool

  init(_ request: some AnyFetchRequest, in context: NSManagedObjectContext) throws {
    target = try FetchTarget(request, in: context)
    affectedStores = request.affectedStores
    resultType = request.resultType
    hasDerivedAttributes = target.layout.entity.hasDerivedAttributes(withSubentities: target.includesSubentities)
  }

  /// Whether the results are objects, or stand for objects, that can be kept up to date.
  var isTracked: Bool { resultType == .managedObjectResultType || resultType == .managedObjectIDResultType }

  /// Whether an object belongs to the result now; limit and offset are disregarded.
  func includes(_ object: NSManagedObject) -> Bool {
    guard target.includes(object.layout), !object.isDetached, !object.state.contains(.deleted) else { return false }
    if let affectedStores, let store = object.table?.store, !affectedStores.contains(where: { $0 === store }) {
      return false
    }
    do {
      let predicate = target.predicate
      let holds = try SQLLoweringError.evaluating(predicate) { try predicate?.holds(for: object) ?? true }
      guard holds else { return false }
    } catch {
      // An object for which the predicate cannot be evaluated is no result. The next fetch throws the reason.
      FetchedResults.log(error)
      return false
    }
    // The evaluation may have read the object, and found that its row is gone.
    return !object.state.contains(.deleted)
  }
}

extension NSEntityDescription {
  fileprivate func hasDerivedAttributes(withSubentities: Bool) -> Bool {
    attributesByName.values.contains { $0 is NSDerivedAttributeDescription }
      || withSubentities && subentities.contains { $0.hasDerivedAttributes(withSubentities: true) }
  }
}

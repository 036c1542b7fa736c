import Foundation

/// What delegates get for a controller whose result type is not `any NSFetchRequestResult`.
final class ErasedResultsController: NSFetchedResultsController<any NSFetchRequestResult> {
  /// Nil when the controller is gone that this one stands for.
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

/// What a subclass of a controller may have changed.
protocol ResultsOverrides: AnyObject {
  func performFetch() throws
  var sectionIndexTitles: [String] { get }
  func sectionIndexTitle(forSectionName sectionName: String) -> String?
  func section(forSectionIndexTitle title: String, at sectionIndex: Int) -> Int
}

extension NSFetchedResultsController: ResultsOverrides {}

/// The request of a controller as its delegate gets it: reads and sets what the original has.
final class ErasedFetchRequest<Original>: NSFetchRequest<any NSFetchRequestResult> {
  private let original: NSFetchRequest<Original>

  init(_ original: NSFetchRequest<Original>) {
    self.original = original
    super.init()
  }

  /// For a copy, which changes nothing of the original.
  required init() {
    original = NSFetchRequest<Original>()
    super.init()
  }

  required init?(coder: NSCoder) {
    original = NSFetchRequest<Original>()
    super.init(coder: coder)
  }

  override var storedEntityName: String? {
    get { original.storedEntityName }
    set { original.storedEntityName = newValue }
  }

  override var objectClass: NSManagedObject.Type? {
    get { original.objectClass }
    set { original.objectClass = newValue }
  }

  override var affectedStores: [NSPersistentStore]? {
    get { original.affectedStores }
    set { original.affectedStores = newValue }
  }

  override var entity: NSEntityDescription? {
    get { original.entity }
    set { original.entity = newValue }
  }

  override var entityName: String? { original.entityName }

  override var predicate: NSPredicate? {
    get { original.predicate }
    set { original.predicate = newValue }
  }

  override var sortDescriptors: [NSSortDescriptor]? {
    get { original.sortDescriptors }
    set { original.sortDescriptors = newValue }
  }

  override var fetchLimit: Int {
    get { original.fetchLimit }
    set { original.fetchLimit = newValue }
  }

  override var fetchOffset: Int {
    get { original.fetchOffset }
    set { original.fetchOffset = newValue }
  }

  override var fetchBatchSize: Int {
    get { original.fetchBatchSize }
    set { original.fetchBatchSize = newValue }
  }

  override var resultType: NSFetchRequestResultType {
    get { original.resultType }
    set { original.resultType = newValue }
  }

  override var includesSubentities: Bool {
    get { original.includesSubentities }
    set { original.includesSubentities = newValue }
  }

  override var includesPropertyValues: Bool {
    get { original.includesPropertyValues }
    set { original.includesPropertyValues = newValue }
  }

  override var includesPendingChanges: Bool {
    get { original.includesPendingChanges }
    set { original.includesPendingChanges = newValue }
  }

  override var returnsObjectsAsFaults: Bool {
    get { original.returnsObjectsAsFaults }
    set { original.returnsObjectsAsFaults = newValue }
  }

  override var relationshipKeyPathsForPrefetching: [String]? {
    get { original.relationshipKeyPathsForPrefetching }
    set { original.relationshipKeyPathsForPrefetching = newValue }
  }

  override var propertiesToFetch: [Any]? {
    get { original.propertiesToFetch }
    set { original.propertiesToFetch = newValue }
  }

  override var propertiesToGroupBy: [Any]? {
    get { original.propertiesToGroupBy }
    set { original.propertiesToGroupBy = newValue }
  }

  override var havingPredicate: NSPredicate? {
    get { original.havingPredicate }
    set { original.havingPredicate = newValue }
  }

  override var returnsDistinctResults: Bool {
    get { original.returnsDistinctResults }
    set { original.returnsDistinctResults = newValue }
  }

  override var shouldRefreshRefetchedObjects: Bool {
    get { original.shouldRefreshRefetchedObjects }
    set { original.shouldRefreshRefetchedObjects = newValue }
  }
}

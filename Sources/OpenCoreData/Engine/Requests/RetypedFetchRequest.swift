import Foundation
import OpenCocoaFoundation

extension NSFetchRequest {
  /// The same request with another result type: a change of one shows in the other.
  ///
  /// Not in Apple's framework (D-EXT-25), where `request as! NSFetchRequest<Other>` does it; the plugin
  /// `CoreDataRewriter` turns such casts into the operators `<~!` and `<~?`, which call this method.
  ///
  /// ```swift
  /// let untyped: NSFetchRequest<NSFetchRequestResult> = Tag.fetchRequest()
  /// let request = untyped.retyped(to: Tag.self)
  /// print(try context.fetch(request).count)  // 2
  /// ```
  /// - Parameter type: the type of the results; a fetch of objects of another class stops the program, saying so.
  public final func retyped<Other>(to type: Other.Type = Other.self) -> NSFetchRequest<Other> {
    if let same = self as? NSFetchRequest<Other> { return same }
    if let same = (self as? any RetypedRequest)?.originalRequest as? NSFetchRequest<Other> { return same }
    return RetypedFetchRequest<ResultType, Other>(self)
  }
}

/// A request with another result type that stands for an original request.
protocol RetypedRequest {
  var originalRequest: NSPersistentStoreRequest { get }
}

/// A request under another result type: it reads and sets the settings of the original.
///
/// Apple's result types exist for the compiler alone, so that a cast gives the same request. Here they are part of the class.
final class RetypedFetchRequest<Original: NSFetchRequestResult, ResultType: NSFetchRequestResult>:
  NSFetchRequest<ResultType>, RetypedRequest
{
  private let original: NSFetchRequest<Original>
  var originalRequest: NSPersistentStoreRequest { original }

  init(_ original: NSFetchRequest<Original>) {
    self.original = original
    super.init()
  }

  /// Makes a request without an original, because a copy must not change the original.
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

  override var objectClass: RequestedClass? {
    get { original.objectClass }
    set { original.objectClass = newValue }
  }

  override var storesToAsk: [AnyObject]? {
    get { original.affectedStores }
    set { original.storesToAsk = newValue }
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

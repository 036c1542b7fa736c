import Foundation
import OpenCocoaFoundation

/// Keeps the results of a fetch request in order and by sections, and reports how they change. It supplies the contents
/// of a list on a screen.
///
/// ```swift
/// let request = NSFetchRequest<Entry>(entityName: "Entry")
/// request.sortDescriptors = [NSSortDescriptor(key: "date", ascending: true)]
/// let controller = NSFetchedResultsController(
///   fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
/// try controller.performFetch()
/// print(controller.fetchedObjects?.map { $0.title ?? "" } ?? [])  // ["Monday", "Tuesday", "Wednesday"]
/// ```
///
/// A controller belongs to the queue of its context. It follows the context's events, including saves of child contexts
/// and merges, **as long as it has a delegate or its** ``snapshots`` **are read**. The cost of a change grows with the
/// number of changed objects, and with the logarithm of the numbers of results and sections. The first change after a
/// fetch also notes where each result is. Of the other objects, only the few are read that a binary search compares with
/// the changed ones. With a `fetchBatchSize`, the results stay in pages, and these few rows are read one by one. To follow
/// saves of other contexts, the context has to merge them
/// (``NSManagedObjectContext/automaticallyMergesChangesFromParent``).
///
/// It does not follow changes of other objects that a key path of the request leads to: fetch again after such a
/// change, or touch the object. Also fetch again after a reset of the context, or after a store was removed.
///
/// See ``NSFetchedResultsControllerDelegate`` for the differences of delegates. Differs from Apple (D-RES-06): a
/// controller follows faults, too.
open class NSFetchedResultsController<ResultType: NSFetchRequestResult>: NSObject, FetchedResultsOwner {
  let results: FetchedResults
  private let request: NSFetchRequest<ResultType>
  private var facade: ErasedResultsController?
  private let givesObjects = ResultType.self is NSManagedObject.Type

  /// Makes a controller. It has no results before ``performFetch()``; nothing is read here.
  ///
  /// The sections come from one `GROUP BY` statement, whatever the number of objects, if the store knows the section
  /// key path. For a transient or computed key path all objects are read.
  ///
  /// ```swift
  /// let request = NSFetchRequest<Entry>(entityName: "Entry")
  /// request.sortDescriptors = [
  ///   NSSortDescriptor(key: "isPinned", ascending: false), NSSortDescriptor(key: "date", ascending: true),
  /// ]
  /// let controller = NSFetchedResultsController(
  ///   fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "isPinned", cacheName: nil)
  /// try controller.performFetch()
  /// print(controller.sections?.map { "\($0.name): \($0.numberOfObjects)" } ?? [])  // ["1: 1", "0: 2"]
  /// ```
  /// - Parameters:
  ///   - fetchRequest: the request to execute. It must have an array of sort descriptors, which may be empty, else the
  ///     program stops. Limit and offset count only when it is executed. Changes of results that are neither objects
  ///     nor IDs are not followed.
  ///   - context: the context, on whose queue the controller is used.
  ///   - sectionNameKeyPath: the key path to the name of an object's section, which may be transient or computed. The
  ///     first sort descriptor must have the same key path, or lead to the same order of sections; otherwise the fetch
  ///     fails with 134060. Nil makes one section of all objects.
  ///   - name: the name of a file in which the sections are kept, to be used again as long as request and stores are
  ///     the same; nil, which is usually best, for no file. A name is for one request: call ``deleteCache(withName:)``
  ///     before the request is changed.
  public init(
    fetchRequest: NSFetchRequest<ResultType>, managedObjectContext context: NSManagedObjectContext,
    sectionNameKeyPath: String?, cacheName name: String?
  ) {
    request = fetchRequest
    results = FetchedResults(
      request: fetchRequest, context: context, sectionNameKeyPath: sectionNameKeyPath, cacheName: name)
    super.init()
    if fetchRequest.sortDescriptors == nil {
      let type = "\(type(of: self))".prefix { $0 != "<" }
      raise(.invalidArgument, "An instance of \(type) requires a fetch request with sort descriptors")
    }
    results.owner = self
  }

  /// Makes a controller that stands for another controller, and shares its results.
  init(standingFor results: FetchedResults, _ request: NSFetchRequest<ResultType>) {
    self.request = request
    self.results = results
    super.init()
  }

  /// The request. It may be changed; the next ``performFetch()`` executes it with the changes. With a `cacheName` the
  /// cache must be deleted before the change.
  open var fetchRequest: NSFetchRequest<ResultType> { request }

  /// The context, on whose queue the controller and its delegate are called.
  open var managedObjectContext: NSManagedObjectContext { results.context }

  /// The key path to the name of an object's section; nil for one section of all.
  open var sectionNameKeyPath: String? { results.sectionNameKeyPath }

  /// The name of the file in which the sections are kept; nil for none.
  open var cacheName: String? { results.cacheName }

  /// The object that is told about changes; the controller does not keep it alive (D-RES-04). Set it before the fetch:
  /// the context's events are followed only while there is a delegate or ``snapshots`` are read.
  open var delegate: (any NSFetchedResultsControllerDelegate)? {
    get { results.delegate }
    set { results.delegate = newValue }
  }

  /// Executes the fetch request. The delegate is not told, unless it takes snapshots. Call it when the controller is
  /// set up, and again after the request was changed or the context was reset.
  ///
  /// It runs the request's statement, and one for the sections. With a `fetchBatchSize` it keeps keys, and reads pages
  /// of objects when ``object(at:)`` needs them.
  ///
  /// ```swift
  /// let request = NSFetchRequest<Tag>(entityName: "Tag")
  /// request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
  /// let controller = NSFetchedResultsController(
  ///   fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
  /// print(controller.fetchedObjects == nil)  // true
  /// try controller.performFetch()
  /// print(controller.fetchedObjects?.count ?? 0)  // 2
  /// ```
  /// - Throws: the errors of `NSManagedObjectContext.fetch(_:)`; 134060 if the objects of a section are not side by
  ///   side. The user info of 134060 has `reason`, which names the place of the first object that is out of order,
  ///   `entity` and `sectionNameKeyPath`. The controller then keeps its former contents.
  ///
  /// See also ``NSFetchRequest/sortDescriptors``.
  open func performFetch() throws { try results.performFetch(load) }

  /// The results in order; nil before the first fetch. With a `fetchBatchSize`, reading this property makes the objects
  /// of all results, which ``object(at:)`` does not (D-FET-02), and keeps them until the next fetch. After a change, it
  /// costs a copy of the results, or a part of one if it was also read before the change.
  ///
  /// These are the contents that the delegate was told about last: in `controllerWillChangeContent(_:)` still the old
  /// contents, from the next call on the new contents. Without a delegate they stay as they were fetched.
  ///
  /// ```swift
  /// let request = NSFetchRequest<Tag>(entityName: "Tag")
  /// request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
  /// let controller = NSFetchedResultsController(
  ///   fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
  /// try controller.performFetch()
  /// Tag(context: context).name = "zoo"
  /// context.processPendingChanges()
  /// print(controller.fetchedObjects?.count ?? 0)  // 2
  /// ```
  ///
  /// See also ``sections``, ``object(at:)``.
  open var fetchedObjects: [ResultType]? {
    guard let contents = results.contents else { return nil }
    if givesObjects, contents.rows.isEmpty {
      // The fetch has checked that all objects are of this class, so the array itself can be returned.
      return unsafeBitCast(contents.objects, to: [ResultType].self)
    }
    if ResultType.self == (any NSFetchRequestResult).self, contents.rows.isEmpty, !results.givesIDs {
      // Every object is such a result, so none has to be asked for its class.
      return unsafeBitCast(contents.objects.map { $0 as any NSFetchRequestResult }, to: [ResultType].self)
    }
    return (0..<contents.count).map { element($0, of: contents) }
  }

  /// Returns the result at a section and item. An index path without a result stops the program. Use it for the visible
  /// rows of a list: with a batch size the controller reads only the page of the row.
  ///
  /// ```swift
  /// let request = NSFetchRequest<Entry>(entityName: "Entry")
  /// request.sortDescriptors = [NSSortDescriptor(key: "date", ascending: true)]
  /// request.fetchBatchSize = 20
  /// let controller = NSFetchedResultsController(
  ///   fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
  /// try controller.performFetch()
  /// print(controller.object(at: IndexPath(item: 2, section: 0)).title ?? "")  // Wednesday
  /// ```
  /// - Parameter indexPath: two indexes, section and item, both from 0; without section key path the section is 0.
  ///
  /// See also ``indexPath(forObject:)``.
  open func object(at indexPath: IndexPath) -> ResultType {
    let place = results.place(indexPath)
    guard let contents = results.contents else { raise(.internalInconsistency, "Nothing was fetched.") }
    // The fetch has checked that the objects are of this class.
    if givesObjects, contents.rows.isEmpty { return unsafeBitCast(contents.object(place), to: ResultType.self) }
    return element(place, of: contents)
  }

  /// Returns the section and item of a result; nil before the fetch, and for an object that is not among the results.
  /// The results are not searched one by one.
  ///
  /// ```swift
  /// let request = NSFetchRequest<Entry>(entityName: "Entry")
  /// request.sortDescriptors = [NSSortDescriptor(key: "date", ascending: true)]
  /// let controller = NSFetchedResultsController(
  ///   fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
  /// try controller.performFetch()
  /// print(controller.indexPath(forObject: try fetchEntry("Tuesday", in: context)) ?? [])  // [0, 1]
  /// ```
  ///
  /// See also ``object(at:)``.
  open func indexPath(forObject object: ResultType) -> IndexPath? { results.indexPath(of: object) }

  /// The sections in order, in their present state; nil before the first fetch. A section that you keep does not
  /// change: read this property again after a change. Only sections that have changed are made anew.
  ///
  /// ```swift
  /// let request = NSFetchRequest<Entry>(entityName: "Entry")
  /// request.sortDescriptors = [NSSortDescriptor(key: "rating", ascending: false)]
  /// let controller = NSFetchedResultsController(
  ///   fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "rating", cacheName: nil)
  /// try controller.performFetch()
  /// print(controller.sections?.map(\.name) ?? [])  // ["5", "4", "3"]
  /// ```
  ///
  /// See also ``NSFetchedResultsSectionInfo``.
  open var sections: [any NSFetchedResultsSectionInfo]? { results.sections }

  /// The index titles of all sections that have one, for example for the edge of a long list.
  open var sectionIndexTitles: [String] { results.indexTitles.map(\.title) }

  /// Returns the index title of a section: the title that the delegate gives, or else the name's first letter,
  /// capitalised. Override it for another rule.
  ///
  /// ```swift
  /// let request = NSFetchRequest<Entry>(entityName: "Entry")
  /// request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
  /// let controller = NSFetchedResultsController(
  ///   fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "title", cacheName: nil)
  /// try controller.performFetch()
  /// print(controller.sectionIndexTitle(forSectionName: "monday") ?? "none")  // M
  /// print(controller.sectionIndexTitles)  // ["M", "T", "W"]
  /// ```
  /// - Parameter sectionName: the section's name.
  /// - Returns: nil if the delegate's method returns nil. The first letter of an empty name is an empty text.
  ///
  /// See also ``section(forSectionIndexTitle:at:)``.
  open func sectionIndexTitle(forSectionName sectionName: String) -> String? {
    results.indexTitle(ofSection: sectionName)
  }

  /// Returns the section that belongs to an index title.
  /// - Parameters:
  ///   - title: the title.
  ///   - sectionIndex: its place among `sectionIndexTitles`. If another title is there, the program stops.
  open func section(forSectionIndexTitle title: String, at sectionIndex: Int) -> Int {
    let titles = results.indexTitles
    guard titles.indices.contains(sectionIndex), titles[sectionIndex].title == title else {
      raise(.internalInconsistency, "Index title at \(sectionIndex) is not equal to '\(title)'")
    }
    return titles[sectionIndex].section
  }

  /// Deletes the file of sections with a name or, for nil, all such files of the program. Call it before a request with
  /// a cache name is changed. A file that belongs to other contents of the store is recognised without this call.
  ///
  /// ```swift
  /// NSFetchedResultsController<Entry>.deleteCache(withName: "entries by rating")
  /// NSFetchedResultsController<Entry>.deleteCache(withName: nil)
  /// ```
  /// - Parameter name: the name that was given to the controller. A name without a file is no error.
  open class func deleteCache(withName name: String?) { SectionCacheFolder.delete(name) }

  /// Whether the other object is this controller, or stands for this controller in calls of the delegate.
  open override func isEqual(_ object: Any?) -> Bool { (object as? any FetchedResultsOwner)?.results === results }

  open override var hash: Int { ObjectIdentifier(results).hashValue }

  // MARK: Results of the request's own type

  private func load() throws -> FetchedResults.Loaded {
    if areResults(results.context, request), let pages = try FetchRun(in: results.context).storedPages(request) {
      return .pages(pages)
    }
    let found = try results.context.fetch(request)
    switch request.resultType {
    case .managedObjectResultType:
      if ResultType.self is NSManagedObject.Type {
        return .objects(unsafeBitCast(found, to: [NSManagedObject].self))
      }
      return .objects(found.compactMap { $0 as? NSManagedObject })
    case .managedObjectIDResultType:
      return .objects(found.compactMap { ($0 as? NSManagedObjectID).map(results.context.object(with:)) })
    default: return .rows(found)
    }
  }

  /// Whether the objects are of the class that was asked for. If they are not, the fetch reports that.
  private func areResults(_ context: NSManagedObjectContext, _ request: NSFetchRequest<ResultType>) -> Bool {
    guard ResultType.self is NSManagedObject.Type, let target = try? FetchTarget(request, in: context) else {
      return true
    }
    func isResult(_ entity: NSEntityDescription) -> Bool {
      entity.layout.objectClass is ResultType.Type && entity.subentities.allSatisfy(isResult)
    }
    return isResult(target.layout.entity)
  }

  private func element(_ place: Int, of contents: FetchedContents) -> ResultType {
    let element = contents.element(place, asIDs: results.givesIDs)
    if let element = element as? ResultType { return element }
    raise(.invalidArgument, "The controller's results are of class \(type(of: element)), not \(ResultType.self).")
  }

  final var erased: NSFetchedResultsController<any NSFetchRequestResult> {
    if let same = self as? NSFetchedResultsController<any NSFetchRequestResult> { return same }
    if let facade { return facade }
    let made = ErasedResultsController(self, results, request.retyped())
    facade = made
    return made
  }

  final func indexTitle(ofSection name: String) -> String? { sectionIndexTitle(forSectionName: name) }
}

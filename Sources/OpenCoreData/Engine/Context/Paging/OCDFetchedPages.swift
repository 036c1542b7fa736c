import Foundation
import OpenCocoaFoundation

/// The objects of a fetch, of which only the pages that were asked for last are there.
///
/// A fetch with a batch size gives an array of faults: small, but one object for each. This holds a key for each, makes
/// the objects of a page when one of them is asked for, and lets go of pages that were not asked for lately, as Apple's
/// array does. The values of a page are read with one statement, when the first of its objects fires.
///
/// ```swift
/// let request = NSFetchRequest<Entry>(entityName: "Entry")
/// request.sortDescriptors = [NSSortDescriptor(key: "date", ascending: true)]
/// request.fetchBatchSize = 30
/// let entries = try context.fetchPages(request)
/// print(entries.count, entries[2].title ?? "")  // 3 Wednesday
/// ```
///
/// The pages stay as they were when they were fetched: objects that are deleted meanwhile become faults without a row.
/// Belongs to the context's queue. Not in Apple's framework (D-EXT-04), whose arrays page by themselves; Swift arrays
/// cannot (D-FET-02).
public final class OCDFetchedPages<Element: NSManagedObject>: RandomAccessCollection {
  private let context: NSManagedObjectContext
  private let entries: FetchedEntries
  /// How many objects a page has: what one statement reads.
  public let pageSize: Int
  /// How many pages are kept; of the least recently used one the objects are let go, unless somebody else holds them.
  public let pageLimit: Int
  /// The pages that are there, the one that was asked for last at the end.
  private var pages: [(number: Int, objects: ContiguousArray<Element>)] = []
  /// Where an object was found last.
  private var lastFound = 0

  init(_ context: NSManagedObjectContext, _ entries: FetchedEntries, pageSize: Int, pageLimit: Int) {
    self.context = context
    self.entries = entries
    self.pageSize = pageSize
    self.pageLimit = pageLimit
  }

  /// The place of the first object: 0.
  public var startIndex: Int { 0 }

  /// The number of objects.
  public var endIndex: Int { entries.keys.count }

  /// The object at a place, of a page that is there or is made now.
  public subscript(position: Int) -> Element {
    context.checkQueue()
    precondition(entries.keys.indices.contains(position), "there is no object at \(position) of \(count)")
    let number = position / pageSize
    if let last = pages.last, last.number == number { return last.objects[position - number * pageSize] }
    return page(number)[position - number * pageSize]
  }

  /// The object's ID, for which no page is made.
  public func objectID(at position: Int) -> NSManagedObjectID { entries.objectID(at: position) }

  /// All objects, whether their pages have been read or not.
  func all() -> [Element] {
    Array(entries.objects(0..<entries.keys.count, pageSize: pageSize, in: context)).map(require)
  }

  /// Where an object is that a store has.
  func place(of object: NSManagedObject) -> Int? {
    let place = entries.place(of: object, near: lastFound)
    if let place { lastFound = place }
    return place
  }

  private func page(_ number: Int) -> ContiguousArray<Element> {
    if let place = pages.firstIndex(where: { $0.number == number }) {
      pages.append(pages.remove(at: place))
    } else {
      let range = number * pageSize..<Swift.min((number + 1) * pageSize, entries.keys.count)
      if pages.count >= pageLimit { pages.removeFirst(pages.count - pageLimit + 1) }
      pages.append((number, ContiguousArray(entries.objects(range, pageSize: pageSize, in: context).map(require))))
    }
    return pages[pages.count - 1].objects
  }

  private func require(_ object: NSManagedObject) -> Element {
    if let element = object as? Element { return element }
    raise(
      .invalidArgument,
      "The objects of entity \(object.layout.name) are of class \(type(of: object)), but OCDFetchedPages<\(Element.self)> "
        + "was asked for.")
  }
}

extension NSManagedObjectContext {
  /// Fetches keys, and gives the objects in pages of the request's `fetchBatchSize`, or of 100 without one.
  ///
  /// - Parameters:
  ///   - request: a request for objects; what it prefetches is left out.
  ///   - pageLimit: how many pages are kept, at least 1.
  /// - Throws: as `fetch(_:)`.
  public final func fetchPages<ResultType: NSManagedObject>(
    _ request: NSFetchRequest<ResultType>, keeping pageLimit: Int = 8
  ) throws -> OCDFetchedPages<ResultType> {
    precondition(pageLimit > 0, "at least one page must be kept")
    checkQueue()
    let target = try FetchTarget(request, in: self)
    let run = FetchRun(in: self)
    let entries =
      try run.storedEntries(request, target)
      ?? FetchedEntries(try run.objects(for: request, target, wantsRows: false), target.layout)
    let size = request.fetchBatchSize > 0 ? request.fetchBatchSize : 100
    return OCDFetchedPages(self, entries, pageSize: size, pageLimit: pageLimit)
  }
}

extension FetchRun {
  /// The pages of a request with a batch size, where one store has them all as they are: nil where changes are pending, where
  /// there are several stores, and where the request wants more done to the objects.
  func storedPages(_ request: some AnyFetchRequest) throws -> OCDFetchedPages<NSManagedObject>? {
    guard request.fetchBatchSize > 0, request.resultType == .managedObjectResultType,
      !request.shouldRefreshRefetchedObjects, request.relationshipKeyPathsForPrefetching?.isEmpty != false
    else { return nil }
    return try storedEntries(request, try FetchTarget(request, in: context)).map {
      OCDFetchedPages(context, $0, pageSize: request.fetchBatchSize, pageLimit: 8)
    }
  }

  /// Nil where the objects are not those of one store.
  fileprivate func storedEntries(_ request: some AnyFetchRequest, _ target: FetchTarget) throws -> FetchedEntries? {
    try withAncestorChanges(request, target) { above -> FetchedEntries? in
      let stores = try stores(for: request, target)
      guard stores.count == 1, !(stores[0] is NSIncrementalStore),
        pendingChanges(request, target, above).isEmpty
      else { return nil }
      let watch = Watchers.watchContexts ? ContextWatch(.fetchKeys, target.layout) : nil
      do {
        let fetched = try stores[0].fetchKeys(target, transaction: context.reads.transaction(on: stores[0]))
        watch?.endFetch(request, rows: fetched.keys.count)
        return FetchedEntries(fetched, target.layout)
      } catch {
        watch?.fail()
        throw error
      }
    }
  }
}

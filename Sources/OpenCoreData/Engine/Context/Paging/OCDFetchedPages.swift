import Foundation
import OpenCocoaFoundation

/// The objects of a fetch, of which only the most recently used pages are in memory.
///
/// A fetch with a batch size gives an array of faults, which are small, but there is one object for each. This collection
/// holds a key for each, makes the objects of a page when one of them is asked for, and releases pages that were not
/// asked for lately, as Apple's array does. The values of a page are read with one statement, when the first of its
/// objects fires.
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
  let context: NSManagedObjectContext
  let entries: FetchedEntries
  /// The number of objects in a page, which one statement reads.
  public let pageSize: Int
  /// The number of pages that are kept. The least recently used page is released first; objects that the program holds stay.
  public let pageLimit: Int
  /// The pages in memory, the one that was asked for last at the end.
  private var pages: [(number: Int, objects: ContiguousArray<Element>)] = []

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

  /// The object at a place; its page is made now if it is not in memory.
  public subscript(position: Int) -> Element {
    context.checkQueue()
    precondition(entries.keys.indices.contains(position), "there is no object at \(position) of \(count)")
    let number = position / pageSize
    if let last = pages.last, last.number == number { return last.objects[position - number * pageSize] }
    return page(number)[position - number * pageSize]
  }

  /// The object's ID; no page is made for it.
  public func objectID(at position: Int) -> NSManagedObjectID { entries.objectID(at: position) }

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
  ///   - request: a request for objects; its key paths for prefetching are ignored.
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
  /// The pages of a request with a batch size, if one store gives its whole result: nil if there are pending changes or
  /// several stores, and if the request also refreshes objects or prefetches relationships.
  func storedPages(_ request: some AnyFetchRequest) throws -> OCDFetchedPages<NSManagedObject>? {
    guard request.fetchBatchSize > 0, request.resultType == .managedObjectResultType,
      !request.shouldRefreshRefetchedObjects, request.relationshipKeyPathsForPrefetching?.isEmpty != false
    else { return nil }
    return try storedEntries(request, try FetchTarget(request, in: context)).map {
      OCDFetchedPages(context, $0, pageSize: request.fetchBatchSize, pageLimit: 8)
    }
  }

  /// The entries of the only store; nil if there are several stores, an incremental store, or pending changes.
  fileprivate func storedEntries(_ request: some AnyFetchRequest, _ target: FetchTarget) throws -> FetchedEntries? {
    try withPendingChanges(request, target, asksAll: true) { pending -> FetchedEntries?? in
      let stores = try stores(for: request, target)
      guard stores.count == 1, !(stores[0] is NSIncrementalStore),
        pending.isEmpty
      else { return .some(nil) }
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

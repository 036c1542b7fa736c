import Foundation
import OpenCocoaFoundation

/// Called on the context's queue when an asynchronous fetch is over.
public typealias NSPersistentStoreAsynchronousFetchResultCompletionBlock = (
  NSAsynchronousFetchResult<any NSFetchRequestResult>
) -> Void

/// A fetch that reads the store while its context goes on, and calls back when the objects are there.
///
/// Start it with ``NSManagedObjectContext/execute(_:)`` of a context with a queue, which gives the result object at once,
/// without content. A SQLite store is read on a thread of its own; other stores are read, and counts are made, on the
/// context's queue when it gets to it. The objects are then made in the context, and changes that are pending at that
/// time are taken into account.
///
/// ```swift
/// await withCheckedContinuation { continuation in
///   let request = NSAsynchronousFetchRequest(fetchRequest: NSFetchRequest<Entry>(entityName: "Entry")) { result in
///     print(result.finalResult?.count ?? 0)  // 3
///     continuation.resume()
///   }
///   do { try context.execute(request) } catch { print(error) }
/// }
/// ```
///
/// Calling `cancel()` on the result ends the fetch; the block is called then, too (D-FET-15). The stores are those of
/// `fetchRequest`.
open class NSAsynchronousFetchRequest<ResultType: NSFetchRequestResult>: NSPersistentStoreRequest, ExecutableRequest {
  private final let request: NSFetchRequest<ResultType>
  final let block: ((NSAsynchronousFetchResult<ResultType>) -> Void)?

  /// Makes a request that calls `blk` on the context's queue with the objects found, or with the error.
  public init(
    fetchRequest request: NSFetchRequest<ResultType>,
    completionBlock blk: ((NSAsynchronousFetchResult<ResultType>) -> Void)? = nil
  ) {
    self.request = request
    block = blk
    super.init()
  }

  /// The fetch that is run. Leave it as it is while it runs.
  open var fetchRequest: NSFetchRequest<ResultType> { request }

  /// The block that is called at the end. A result of another type is converted for it.
  open var completionBlock: NSPersistentStoreAsynchronousFetchResultCompletionBlock? {
    guard let block else { return nil }
    return { result in
      block(result as? NSAsynchronousFetchResult<ResultType> ?? NSAsynchronousFetchResult(result, for: self))
    }
  }

  /// The expected number of results: the total of the progress. 0, the default, leaves it open.
  open var estimatedResultCount = 0
}

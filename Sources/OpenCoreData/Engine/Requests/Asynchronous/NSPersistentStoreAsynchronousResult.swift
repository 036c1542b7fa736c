import Foundation
import OpenCocoaFoundation

/// The result of `execute(_:)` for a request that is still running when `execute(_:)` returns.
///
/// Sendable unchecked: the outcome is written once, on the context's queue, before the completion block is called there;
/// read it there. Cancelling is possible on every thread.
open class NSPersistentStoreAsynchronousResult: NSPersistentStoreResult, @unchecked Sendable {
  /// The context that executes the request.
  public final let managedObjectContext: NSManagedObjectContext
  /// The progress of the request, a part of the progress that was current when it was executed. Completed units are
  /// results that have been read. Differs from Apple (D-FET-10): it is also there if no progress was current.
  public final let progress: Progress?
  /// The reason why there is no result: `CocoaError.userCancelled` (3072) if the request was cancelled.
  public final internal(set) var operationError: (any Error)?
  private final let stop: @Sendable () -> Void

  init(_ context: NSManagedObjectContext, _ progress: Progress?, stop: @escaping @Sendable () -> Void) {
    managedObjectContext = context
    self.progress = progress
    self.stop = stop
    super.init()
  }

  /// Ends the request: a running statement is stopped in SQLite. The completion block is called with the error.
  open func cancel() {
    progress?.cancel()
    stop()
  }
}

/// The result of an asynchronous fetch.
open class NSAsynchronousFetchResult<ResultType: NSFetchRequestResult>:
  NSPersistentStoreAsynchronousResult, @unchecked Sendable
{
  /// The request.
  public final let fetchRequest: NSAsynchronousFetchRequest<ResultType>
  /// The fetched objects; nil until the fetch ends, and if it failed or was cancelled.
  public final internal(set) var finalResult: [ResultType]?

  init(
    _ request: NSAsynchronousFetchRequest<ResultType>, _ context: NSManagedObjectContext, _ progress: Progress?,
    stop: @escaping @Sendable () -> Void
  ) {
    fetchRequest = request
    super.init(context, progress, stop: stop)
  }

  /// Makes a result of this type from one of another type.
  convenience init<Other>(
    _ other: NSAsynchronousFetchResult<Other>, for request: NSAsynchronousFetchRequest<ResultType>
  ) {
    self.init(request, other.managedObjectContext, other.progress) { [weak other] in other?.cancel() }
    operationError = other.operationError
    finalResult = other.finalResult?.compactMap { $0 as? ResultType }
  }
}

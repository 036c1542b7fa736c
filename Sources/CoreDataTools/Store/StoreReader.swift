import CommandSupport
import Foundation
import OpenCoreData
import Synchronization

/// A store that is looked into without changing a byte of it or of its folder.
///
/// A reader may be kept for hours beside programs that write the store. Between two pieces of work it has no file open, holds no
/// lock and no transaction; with each it sees the store as it is then, in one transaction, schema and model included. Of a store
/// in one XML or binary file a copy in a temporary folder is read, which is made anew when the file has changed; a store in a
/// server stays connected.
///
/// One thread at a time uses a reader; only ``cancel()`` may be called by any. What its methods throw is a `CancellationError`, a
/// ``PredicateMistake``, or a `ToolError` with a text for people.
public final class StoreReader: @unchecked Sendable {
  /// Where the store is.
  public let url: URL
  /// What kind of store it is.
  public let kind: StoreKind
  /// The model by which the store is read: the given one, or the copy that the store keeps, as it was when it was last read.
  public var model: NSManagedObjectModel { source.model }
  /// The store's metadata, as they were when it was last read.
  public var metadata: [String: Any] { source.metadata }

  let access: StoreAccess
  private let source: any ReaderSource
  var served: (any ServedStore)? { (source as? ServerSource)?.served }
  /// The store while it is read. It is closed only after it has been taken out of here, so that it can be stopped safely.
  private let lock = NSLock()
  private var current: (any QueriedStore)?
  /// Ends what goes on in a copy.
  private var stopping: (@Sendable () -> Void)?
  private let wasCancelled = Atomic<Bool>(false)

  /// Opens a store and reads what it says about itself.
  /// - Parameters:
  ///   - url: Where the store is: a file, or a URL of a server.
  ///   - model: The model to read it by, for a store that keeps no copy of its own: an old one, XML or binary.
  /// - Throws: a `ToolError` if there is no store, it cannot be read, or there is no model to read it by.
  public init(_ url: URL, model: NSManagedObjectModel? = nil) throws {
    self.url = url
    access = StoreAccess(url, model: model)
    kind = try StoreKind.of(url)
    try kind.requireStore(url)
    source =
      switch kind {
      case .sqlite, .unknown: try FileSource(access)
      case .xml, .binary: try CopySource(access, kind)
      case .postgreSQL: try ServerSource(access, kind)
      }
    try read {}
  }

  /// Runs `body`, in which all that is asked of the reader is of one moment.
  ///
  /// Without it each question is of the moment in which it is asked.
  /// - Throws: what `body` throws, and a `ToolError` where the store cannot be read, or was written in a way that leaves
  ///   open of which moment the answers are.
  public func read<Result>(_ body: () throws -> Result) throws -> Result {
    if current != nil { return try body() }
    let store = try failing { try source.begin() }
    wasCancelled.store(false, ordering: .releasing)
    lock.withLock { current = store }
    let result = Swift.Result { try body() }
    lock.withLock { current = nil }
    let end = Swift.Result { try failing { try source.end(store) } }
    let value = try result.get()
    try end.get()
    return value
  }

  /// Ends what the reader is doing, which throws a `CancellationError` then. Any thread may call it; it does nothing where the
  /// reader does nothing.
  public func cancel() {
    lock.withLock {
      guard current != nil || stopping != nil else { return }
      wasCancelled.store(true, ordering: .releasing)
      current?.stop()
      stopping?()
    }
  }

  /// Whether ``cancel()`` was called while the piece of work that goes on was going on.
  public var isCancelled: Bool { wasCancelled.load(ordering: .acquiring) }

  // MARK: For the questions

  /// Asks the store; its errors are given in words.
  func asking<Result>(_ body: (any QueriedStore) throws -> Result) throws -> Result {
    try read {
      try failing {
        guard let current else { throw ToolError("The store \(url.shown) is not open.") }
        let result = try body(current)
        try checkCancellation()
        return result
      }
    }
  }

  /// Runs `body`, which works with a copy that it tells how to stop by ``stop(_:)``.
  func trying<Result>(_ body: () throws -> Result) throws -> Result {
    wasCancelled.store(false, ordering: .releasing)
    stop {}
    defer { lock.withLock { stopping = nil } }
    return try failing(body)
  }

  /// Says what ends that which goes on from now on.
  func stop(_ action: @escaping @Sendable () -> Void) { lock.withLock { stopping = action } }

  /// - Throws: a `CancellationError` after ``cancel()``.
  func checkCancellation() throws {
    if isCancelled { throw CancellationError() }
  }

  /// An error that somebody else's code has thrown, and that is handed on as it is.
  struct Foreign: Error { let error: any Error }

  private func failing<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let foreign as Foreign {
      throw foreign.error
    } catch  where error is ToolError || error is PredicateMistake || error is CancellationError {
      throw error
    } catch {
      if isCancelled || InspectedStore.wasStopped(error) { throw CancellationError() }
      throw ToolError(source.text(of: error))
    }
  }
}

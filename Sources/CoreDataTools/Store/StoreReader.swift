import CommandSupport
import Foundation
import OpenCoreData
import Synchronization

/// A store that is read without changing a byte of the store or of its folder.
///
/// A reader may be kept for hours beside programs that write the store. Between two pieces of work it has no file open, and
/// holds no lock and no transaction; each piece of work sees the store as it is then, in one transaction, including schema
/// and model. A store in one XML or binary file, or over a web service, is read from a copy in a temporary folder, which is made
/// again when the store has changed; readers of the same store share it. A store in a server stays connected.
///
/// One thread at a time uses a reader; only ``cancel()`` may be called by any thread. The methods throw a
/// `CancellationError`, a ``PredicateMistake``, or a `ToolError` with a text for people.
public final class StoreReader: @unchecked Sendable {
  /// The place of the store.
  public let url: URL
  /// The kind of the store.
  public let kind: StoreKind
  /// The model by which the store is read: the given one, or the copy that the store kept when it was last read.
  public var model: NSManagedObjectModel { source.model }
  /// The store's metadata, as they were when it was last read.
  public var metadata: [String: Any] { source.metadata }

  let access: StoreAccess
  private let source: any ReaderSource
  var served: (any ServedStore)? { (source as? ServerSource)?.served }
  /// The file that is read in place of the store; nil if the store itself is read.
  var copy: URL? { (source as? CopySource)?.copy }
  /// The store while it is read. It is removed from this property before it is closed, so that ``cancel()`` can stop it safely.
  private let lock = NSLock()
  private var current: (any QueriedStore)?
  /// Stops the work in a copy.
  private var stopping: (@Sendable () -> Void)?
  private let wasCancelled = Atomic<Bool>(false)

  /// Opens a store and reads its metadata.
  /// - Parameters:
  ///   - url: The place of the store: a file, or a URL of a server. For that of a web service, the program has registered the
  ///     store class that asks it.
  ///   - model: The model of the store, for one that keeps no copy of its own: an old one, XML, binary, or a web service.
  /// - Throws: a `ToolError` if there is no store, it cannot be read, or there is no model for it.
  public init(_ url: URL, model: NSManagedObjectModel? = nil) throws {
    self.url = url
    access = StoreAccess(url, model: model)
    kind = try StoreKind.of(url)
    try kind.requireStore(url)
    source =
      switch kind {
      case .sqlite, .unknown: try FileSource(access)
      case .xml, .binary, .service: try CopySource(access, kind)
      case .postgreSQL: try ServerSource(access, kind)
      }
    try read {}
  }

  /// Runs `body`. All calls of the reader in it see the store at one moment.
  ///
  /// Outside of this method, each call sees the store at the moment of the call.
  /// - Throws: the error of `body`, and a `ToolError` if the store cannot be read, or was written in a way that leaves open
  ///   to which moment the answers belong.
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

  /// Stops the work that the reader is doing, which then throws a `CancellationError`. Any thread may call this function. It
  /// has no effect if the reader does no work.
  public func cancel() {
    lock.withLock {
      guard current != nil || stopping != nil else { return }
      wasCancelled.store(true, ordering: .releasing)
      current?.stop()
      stopping?()
    }
  }

  /// Whether ``cancel()`` was called during the present piece of work.
  public var isCancelled: Bool { wasCancelled.load(ordering: .acquiring) }

  // MARK: For the questions

  /// Runs `body` with the open store. Errors are thrown as a `ToolError` in words.
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

  /// Runs `body`, which works with a copy. `body` passes the action that stops this work to ``stop(_:)``.
  func trying<Result>(_ body: () throws -> Result) throws -> Result {
    wasCancelled.store(false, ordering: .releasing)
    stop {}
    defer { lock.withLock { stopping = nil } }
    return try failing(body)
  }

  /// Sets the action that stops the work from now on.
  func stop(_ action: @escaping @Sendable () -> Void) { lock.withLock { stopping = action } }

  /// - Throws: a `CancellationError` after ``cancel()``.
  func checkCancellation() throws {
    if isCancelled { throw CancellationError() }
  }

  /// An error of the caller's code, which is thrown unchanged.
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

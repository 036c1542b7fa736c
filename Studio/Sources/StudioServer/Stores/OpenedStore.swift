import CoreData
import CoreDataTools
import Foundation

/// A store that many requests read at once.
///
/// Readers are made when they are needed, up to a limit, and kept, because making a reader reads the model. Between two
/// requests a reader has nothing open, so that it does not block other programs that use the store.
actor OpenedStore {
  nonisolated let name: String
  nonisolated let url: URL
  private let models: NamedModels
  nonisolated let counts = KeptCounts()

  /// The maximal number of concurrent readers; further requests wait.
  private static let limit = 8

  private static let longWorkLimit = 6

  private var longWork = 0
  private var isMigrating = false
  private var idle: [StoreReader] = []
  /// The open readers, and the open readers that are to be closed after their use.
  private var readers: Set<ObjectIdentifier> = []
  private var outdated: Set<ObjectIdentifier> = []
  private var openCount = 0
  private var waiting: [CheckedContinuation<StoreReader?, Never>] = []

  /// - Parameter models: The models for a store that keeps no model.
  init(name: String, url: URL, models: NamedModels) {
    (self.name, self.url, self.models) = (name, url, models)
  }

  /// Runs `body` with a reader, in one read transaction. If the task is cancelled, the reader's query is stopped.
  nonisolated func read<Value: Sendable>(
    _ body: @escaping @Sendable (StoreReader) throws -> Value
  ) async throws -> Value {
    try await withTaskExecutorPreference(StoreThreads.shared) {
      let reader = try await take()
      do {
        let value = try await withTaskCancellationHandler {
          try Task.checkCancellation()
          return try reader.read { try body(reader) }
        } onCancel: {
          reader.cancel()
        }
        await give(reader)
        return value
      } catch {
        await give(reader)
        throw error
      }
    }
  }

  /// Whether an object's number in a page still names the same object when the object is changed. The objects of a store in one
  /// XML or binary file, and of a web service, are numbered anew each time that they are copied to be read. True for a store that was removed, because its kind
  /// is not known and its unsaved changes still exist.
  nonisolated var namesObjectsForGood: Bool { (try? StoreKind.of(url))?.isDatabase != false }

  /// Whether the store is a web service.
  nonisolated var isService: Bool { (try? StoreKind.of(url)) == .service }

  private nonisolated func makeReader() throws -> StoreReader { try StoreReader(url, model: ownModel()) }

  /// Returns the model to open the store with; nil if the store contains one.
  nonisolated func ownModel() throws -> NSManagedObjectModel? { try models.model(of: url) }

  /// Returns the number of objects in a view. They are counted once for each state of the store's files.
  nonisolated func count(_ view: EntityView) async throws -> Int {
    let stamp = StoreStamp(url)
    if let known = counts.ofNow(url).number(view) { return known }
    let number = try await read { reader in
      var query = view.query(limit: 0)
      query.offset = 0
      return try reader.count(of: query)
    }
    counts.keep(number, of: view, stamp, url)
    return number
  }

  /// Runs a function that takes minutes with a reader of its own, so that pages need not wait for it.
  /// - Throws: A `StudioError` if too many of such functions are running.
  nonisolated func readAtLength<Value: Sendable>(
    _ body: @escaping @Sendable (StoreReader) throws -> Value
  ) async throws -> Value {
    try await withTaskExecutorPreference(StoreThreads.shared) {
      try await beginLongWork()
      do {
        let reader = try makeReader()
        let value = try await withTaskCancellationHandler {
          try Task.checkCancellation()
          return try reader.read { try body(reader) }
        } onCancel: {
          reader.cancel()
        }
        await endLongWork()
        return value
      } catch {
        await endLongWork()
        throw error
      }
    }
  }

  /// Refuses all other work with the store until `endMigration`.
  /// - Throws: a `StudioError` while a download, a verification or the trial of an index reads the store.
  func beginMigration() throws {
    try requireNoMigration()
    guard longWork == 0 else {
      throw StudioError(
        .conflict, "“\(name)” is being read",
        "A download, a verification or the trial of an index goes on. Wait until it has ended, or stop it, and migrate then."
      )
    }
    isMigrating = true
  }

  /// Closes all readers after a migration, so that the store is opened again.
  func endMigration() {
    isMigrating = false
    forget()
  }

  /// - Throws: a `StudioError` while the store is being migrated.
  func requireNoMigration() throws {
    guard isMigrating else { return }
    throw StudioError(
      .conflict, "“\(name)” is being migrated", "Its objects are shown again when that has ended.")
  }

  private func beginLongWork() throws {
    try requireNoMigration()
    guard longWork < Self.longWorkLimit else {
      throw StudioError(
        .tooManyRequests, "Too much is going on",
        "\(Self.longWorkLimit) downloads and jobs read “\(name)” already. Wait until one has ended.")
    }
    longWork += 1
  }

  private func endLongWork() { longWork -= 1 }

  private func take() async throws -> StoreReader {
    try requireNoMigration()
    if let reader = idle.popLast() { return reader }
    if openCount >= Self.limit, let reader = await withCheckedContinuation({ waiting.append($0) }) { return reader }
    openCount += 1
    do {
      let reader = try makeReader()
      readers.insert(ObjectIdentifier(reader))
      return reader
    } catch {
      close()
      throw error
    }
  }

  private func forget() {
    outdated.formUnion(readers)
    openCount -= idle.count
    for reader in idle { drop(reader) }
    idle = []
  }

  private func drop(_ reader: StoreReader) {
    readers.remove(ObjectIdentifier(reader))
    outdated.remove(ObjectIdentifier(reader))
  }

  private func give(_ reader: StoreReader) {
    if outdated.contains(ObjectIdentifier(reader)) {
      drop(reader)
      close()
    } else if waiting.isEmpty {
      idle.append(reader)
    } else {
      waiting.removeFirst().resume(returning: reader)
    }
  }

  /// Closes a reader, so that the next waiting request may open one.
  private func close() {
    openCount -= 1
    if !waiting.isEmpty { waiting.removeFirst().resume(returning: nil) }
  }
}

import CommandSupport
import Foundation
import OpenCoreData

/// Opens the store for each piece of a reader's work.
protocol ReaderSource: AnyObject {
  var model: NSManagedObjectModel { get }
  var metadata: [String: Any] { get }

  /// Opens the store in its present state.
  func begin() throws -> any QueriedStore

  /// - Throws: an error if the store was written meanwhile, so that it is not certain which state was read.
  func end(_ store: any QueriedStore) throws

  /// Returns the text of an error.
  func text(of error: any Error) -> String
}

extension ReaderSource {
  func text(of error: any Error) -> String { StoreErrors.text(of: error) }
}

/// A SQLite store, opened for each piece of work. The structure that was read from the store is kept.
final class FileSource: ReaderSource {
  private let access: StoreAccess
  private var structure: InspectedStore.Structure
  private(set) var model: NSManagedObjectModel
  private(set) var metadata: [String: Any]

  init(_ access: StoreAccess) throws {
    self.access = access
    let store = try access.read { $0 }
    guard let model = store.model else { throw ToolError("The store \(access.url.shown) has no model.") }
    (structure, self.model, metadata) = (store.structure, model, store.metadata)
  }

  func begin() throws -> any QueriedStore {
    // The error message of this check is clearer than SQLite's.
    try StoreKind.of(access.url).requireSQLite(access.url)
    let store = try InspectedStore(access.url, model: access.given, known: structure)
    if store.structure !== structure {
      try store.requireStore()
      try access.requireFitting(store.metadata)
      try access.requireModel(of: store)
      structure = store.structure
      model = store.model ?? model
      metadata = store.metadata
    }
    return store
  }

  func end(_ store: any QueriedStore) throws { try (store as? InspectedStore)?.requireUnchanged() }
}

/// A store in one XML or binary file, or a web service. The reader reads a copy of the store in SQLite.
final class CopySource: ReaderSource {
  private let access: StoreAccess
  private let kind: StoreKind
  private let shared: SharedCopy
  /// The state that is being read. It is held no longer, so that an old copy can go when the store has changed.
  private var reading: SharedCopy.Content?
  /// The place of the copy that was read last.
  private(set) var copy: URL
  let model: NSManagedObjectModel
  private(set) var metadata: [String: Any]

  init(_ access: StoreAccess, _ kind: StoreKind) throws {
    (self.access, self.kind) = (access, kind)
    model = try access.required(kind)
    shared = SharedCopy.of(access.url, model)
    let content = try shared.content(access, kind)
    (copy, metadata) = (content.copy.url, content.metadata)
  }

  func begin() throws -> any QueriedStore {
    let content = try shared.content(access, kind)
    (copy, metadata) = (content.copy.url, content.metadata)
    let store = try InspectedStore(copy, model: model)
    reading = content
    return store
  }

  func end(_ store: any QueriedStore) { reading = nil }

  func text(of error: any Error) -> String {
    StoreErrors.text(of: error).replacingOccurrences(of: copy.path, with: access.url.shown)
  }
}

/// A store in a server, which is queried directly. The store stays open until its model changes.
final class ServerSource: ReaderSource {
  private let access: StoreAccess
  private let kind: StoreKind
  private var coordinator: NSPersistentStoreCoordinator
  private(set) var metadata: [String: Any]

  var model: NSManagedObjectModel { coordinator.managedObjectModel }

  init(_ access: StoreAccess, _ kind: StoreKind) throws {
    (self.access, self.kind) = (access, kind)
    coordinator = try kind.coordinator(of: access.url, model: try access.required(kind))
    metadata = try kind.metadata(access.url)
  }

  func begin() throws -> any QueriedStore {
    let now = try kind.metadata(access.url)
    let hashes = [metadata, now].map { $0[NSStoreModelVersionHashesKey] as? [String: Data] }
    if hashes[0] != hashes[1] {
      coordinator = try kind.coordinator(of: access.url, model: try access.required(kind))
    }
    metadata = now
    guard let store = coordinator.persistentStores.first else {
      throw ToolError("The store \(access.url.shown) is not open.")
    }
    return try AskedStore(store, coordinator)
  }

  func end(_ store: any QueriedStore) {}

  /// The store, if it is in a server, which can answer more questions than a file.
  var served: (any ServedStore)? { coordinator.persistentStores.first as? any ServedStore }
}

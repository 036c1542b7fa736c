import CommandSupport
import Foundation
import OpenCoreData

/// A store, and the model for reading it.
package struct StoreAccess {
  /// The parts of a store that a reader needs.
  package enum Need { case nothing, metadata, model }

  package let url: URL
  /// The model that was given; nil if the store's own model is to be used.
  package let given: NSManagedObjectModel?
  /// The place of the given model, for messages.
  private let modelName: String

  /// - Parameter modelURL: Where the given model is.
  package init(_ url: URL, model: NSManagedObjectModel? = nil, at modelURL: URL? = nil) {
    self.url = url
    given = model
    modelName = modelURL?.path ?? "that was given"
  }

  /// Opens the store, and calls `body` with it.
  /// - Parameters:
  ///   - passing: Returns whether an error is thrown unchanged.
  ///   - warning: Called with the names of missing files of values.
  /// - Throws: a ``ToolError`` for a file that is not a store, lacks what is needed, or was written in the meantime.
  package func read<Result>(
    need: Need = .model, passing: (any Error) -> Bool = { _ in false }, warning: ([String]) -> Void = { _ in },
    _ body: (InspectedStore) throws -> Result
  ) throws -> Result {
    let kind = try StoreKind.of(url)
    if need == .nothing { try kind.requireSQLite(url) }
    // The copy is removed after it was read.
    let copy = kind.isSQLite ? nil : try SQLiteCopy(of: url, kind, model: try required(kind))
    defer { withExtendedLifetime(copy) {} }
    do {
      let store = try InspectedStore(copy?.url ?? url, model: given)
      if need != .nothing {
        try store.requireStore()
        if copy == nil { try requireFitting(store.metadata) }
      }
      if need == .model { try requireModel(of: store) }
      let result = try body(store)
      try store.requireUnchanged()
      warning(Set(store.missingFiles).sorted())
      return result
    } catch  where error is ToolError || passing(error) {
      throw error
    } catch {
      let text = StoreErrors.text(of: error)
      throw ToolError(copy.map { text.replacingOccurrences(of: $0.url.path, with: url.shown) } ?? text)
    }
  }

  /// Opens a store in a server, for reading only.
  /// - Throws: a ``ToolError``.
  package func open<Result>(
    passing: (any Error) -> Bool = { _ in false },
    _ body: (NSPersistentStore, NSPersistentStoreCoordinator) throws -> Result
  ) throws -> Result {
    let kind = try StoreKind.of(url)
    let coordinator = try kind.coordinator(of: url, model: try required(kind))
    do {
      guard let store = coordinator.persistentStores.first else { throw ToolError("\(url.shown) is not open.") }
      defer { try? coordinator.remove(store) }
      return try body(store, coordinator)
    } catch  where error is ToolError || passing(error) {
      throw error
    } catch { throw ToolError(StoreErrors.text(of: error)) }
  }

  /// - Throws: a ``ToolError`` if the store keeps no copy of its model and no model was given.
  package func requireModel(of store: InspectedStore) throws {
    if store.model != nil { return }
    let reason = store.cacheProblem.map { "the copy of its model cannot be read: \($0)" }
    throw ToolError(
      "The store \(url.shown) cannot be read without a model: \(reason ?? "it keeps no copy of its own"). "
        + "Give one with --model.")
  }

  /// Returns the model for reading the store: the given one, which must be the store's; without one, the copy that the store
  /// keeps.
  package func required(_ kind: StoreKind) throws -> NSManagedObjectModel {
    let metadata = try kind.metadata(url)
    guard let given else {
      if let kept = try kind.keptModel(url) { return kept }
      throw ToolError(
        "The store \(url.shown) is of the kind \(kind.rawValue) and keeps no model. Give one with --model.")
    }
    try requireFitting(metadata)
    return given
  }

  /// - Throws: a ``ToolError`` if the given model has other versions of the store's entities.
  package func requireFitting(_ metadata: [String: Any]) throws {
    guard let given, let stored = metadata[NSStoreModelVersionHashesKey] as? [String: Data] else { return }
    let isTheStores = ([nil] + given.configurations).contains {
      given.isConfiguration(withName: $0, compatibleWithStoreMetadata: metadata)
    }
    if !isTheStores { throw StoreErrors.otherModel(modelName, given, of: url, stored) }
  }
}

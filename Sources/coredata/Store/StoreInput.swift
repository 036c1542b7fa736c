import ArgumentParser
import CommandSupport
import Foundation
import OpenCoreData

/// The store that a command works on, and the model to read it by.
struct StoreInput: ParsableArguments {
  @Argument(help: "The store.")
  var file: String

  @Option(help: "The model to read the store by, for one that keeps no copy of its own: an old one, XML or binary.")
  var model: String?

  var url: URL { ModelInput.url(file) }

  /// The model of --model; nil where the store's own is to be used.
  func givenModel() throws -> NSManagedObjectModel? { try model.map { try ModelInput($0).model } }

  /// What a command cannot do without.
  enum Need { case nothing, metadata, model }

  /// Opens the store and looks at it.
  /// - Throws: a ``ToolError`` for what is no store, lacks what is needed, or was written meanwhile.
  func read<Result>(need: Need = .model, _ body: (InspectedStore) throws -> Result) throws -> Result {
    let kind = try StoreKind.of(url)
    if need == .nothing { try kind.requireSQLite(url) }
    let given = try givenModel()
    // Removed when it has been read.
    let copy = kind.isSQLite ? nil : try SQLiteCopy(of: url, kind, model: try required(given, kind))
    defer { withExtendedLifetime(copy) {} }
    do {
      let store = try InspectedStore(copy?.url ?? url, model: given)
      if need != .nothing {
        try store.requireStore()
        if let given, copy == nil { try require(given, metadata: store.metadata) }
      }
      if need == .model, store.model == nil {
        let reason = store.cacheProblem.map { "the copy of its model cannot be read: \($0)" }
        throw ToolError(
          "The store \(url.shown) cannot be read without a model: \(reason ?? "it keeps no copy of its own"). "
            + "Give one with --model.")
      }
      let result = try body(store)
      try store.requireUnchanged()
      for name in Set(store.missingFiles).sorted() {
        FileHandle.standardError.write(Data("Warning: the file \(name) of a value is missing.\n".utf8))
      }
      return result
    } catch let error as ToolError {
      throw error
    } catch let code as ExitCode {
      throw code
    } catch {
      let text = Self.text(of: error)
      throw ToolError(copy.map { text.replacingOccurrences(of: $0.url.path, with: url.shown) } ?? text)
    }
  }

  /// Opens the store for questions about its objects. One in a server is asked itself; of one in a single file a copy is.
  /// - Throws: a ``ToolError``, as `read` does.
  func query<Result>(_ body: (any QueriedStore) throws -> Result) throws -> Result {
    guard try StoreKind.of(url) == .postgreSQL else { return try read { try body($0) } }
    return try open { try body(AskedStore($0, $1)) }
  }

  /// Opens a store in a server, for reading alone.
  /// - Throws: a ``ToolError``.
  func open<Result>(_ body: (NSPersistentStore, NSPersistentStoreCoordinator) throws -> Result) throws -> Result {
    let kind = try StoreKind.of(url)
    let coordinator = try kind.coordinator(of: url, model: try required(try givenModel(), kind))
    do {
      guard let store = coordinator.persistentStores.first else { throw ToolError("\(url.shown) is not open.") }
      defer { try? coordinator.remove(store) }
      return try body(store, coordinator)
    } catch let error as ToolError {
      throw error
    } catch let code as ExitCode {
      throw code
    } catch { throw ToolError(Self.text(of: error)) }
  }

  /// The model to read a store by: the given one, if it is that of the store, or the copy that it keeps.
  func required(_ given: NSManagedObjectModel?, _ kind: StoreKind) throws -> NSManagedObjectModel {
    let metadata = try kind.metadata(url)
    guard let given else {
      if let kept = try kind.keptModel(url) { return kept }
      throw ToolError(
        "The store \(url.shown) is of the kind \(kind.rawValue) and keeps no model. Give one with --model.")
    }
    try require(given, metadata: metadata)
    return given
  }

  /// - Throws: a ``ToolError`` if the model of --model has other versions of the store's entities.
  func require(_ given: NSManagedObjectModel, metadata: [String: Any]) throws {
    guard let stored = metadata[NSStoreModelVersionHashesKey] as? [String: Data] else { return }
    let isTheStores = ([nil] + given.configurations).contains {
      given.isConfiguration(withName: $0, compatibleWithStoreMetadata: metadata)
    }
    if isTheStores { return }
    throw Self.otherModel(ModelInput.url(model ?? ""), given, of: url, stored)
  }

  /// The error for a model that has other versions of a store's entities.
  static func otherModel(
    _ modelURL: URL, _ model: NSManagedObjectModel, of store: URL, _ stored: [String: Data]
  ) -> ToolError {
    let hashes = model.entityVersionHashesByName
    let parts = [
      ("these entities differ", stored.keys.filter { hashes[$0] != nil && hashes[$0] != stored[$0] }),
      ("the store alone has", stored.keys.filter { hashes[$0] == nil }),
      ("the model alone has", hashes.keys.filter { stored[$0] == nil }),
    ]
    let texts = parts.filter { !$0.1.isEmpty }.map { "\($0.0): \($0.1.sorted().joined(separator: ", "))" }
    return ToolError(
      "The model \(modelURL.path) is not that of the store \(store.path); \(texts.joined(separator: "; ")).")
  }

  /// What an error says, with the reason where that says more.
  static func text(of error: any Error) -> String {
    let error = error as NSError
    let reason = error.localizedFailureReason.map { error.localizedDescription.contains($0) ? "" : " \($0)" } ?? ""
    return error.localizedDescription + reason
  }
}

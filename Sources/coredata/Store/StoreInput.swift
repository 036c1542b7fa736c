import ArgumentParser
import CommandSupport
import CoreDataTools
import Foundation
import OpenCoreData

/// The store that a command works on, and the model for reading it.
struct StoreInput: ParsableArguments {
  @Argument(help: "The store.")
  var file: String

  @Option(help: "The model to read the store by, for one that keeps no copy of its own: an old one, XML or binary.")
  var model: String?

  var url: URL { ModelInput.url(file) }

  /// Returns the store with the model of --model.
  /// - Throws: a ``ToolError`` if that model cannot be read.
  func access() throws -> StoreAccess {
    StoreAccess(url, model: try model.map { try ModelInput($0).model }, at: model.map(ModelInput.url))
  }

  /// Opens the store for inspection.
  /// - Throws: A ``ToolError`` if there is no store, if it lacks what the command needs, or if it was changed meanwhile.
  func read<Result>(need: StoreAccess.Need = .model, _ body: (InspectedStore) throws -> Result) throws -> Result {
    let kind = try StoreKind.of(url)
    if need == .nothing { try kind.requireSQLite(url) }
    return try access().read(need: need, passing: { $0 is ExitCode }, warning: Self.warn, body)
  }

  /// Opens the store for queries. A store in a server is queried directly; a store in a single file is copied first.
  /// - Throws: A ``ToolError``, as `read` does.
  func query<Result>(_ body: (any QueriedStore) throws -> Result) throws -> Result {
    guard try StoreKind.of(url) == .postgreSQL else { return try read { try body($0) } }
    return try open { try body(AskedStore($0, $1)) }
  }

  /// Opens a store in a server, for reading only.
  /// - Throws: a ``ToolError``.
  func open<Result>(_ body: (NSPersistentStore, NSPersistentStoreCoordinator) throws -> Result) throws -> Result {
    try access().open(passing: { $0 is ExitCode }, body)
  }

  static func warn(_ missing: [String]) {
    for name in missing {
      FileHandle.standardError.write(Data("Warning: the file \(name) of a value is missing.\n".utf8))
    }
  }
}

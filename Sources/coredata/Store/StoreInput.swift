import ArgumentParser
import Foundation
import OpenCoreData

/// The store that a command works on, and the model to read it by.
struct StoreInput: ParsableArguments {
  @Argument(help: "The store.")
  var file: String

  @Option(help: "The model to read the store by, for one that keeps no copy of its own.")
  var model: String?

  var url: URL { ModelInput.url(file) }

  /// The model of --model; nil where the store's own is to be used.
  func givenModel() throws -> NSManagedObjectModel? { try model.map { try ModelInput($0).model } }

  /// What a command cannot do without.
  enum Need { case nothing, metadata, model }

  /// Opens the store and looks at it.
  /// - Throws: a ``ToolError`` for what is no store, lacks what is needed, or was written meanwhile.
  func read<Result>(need: Need = .model, _ body: (InspectedStore) throws -> Result) throws -> Result {
    try StoreKind.of(url).requireSQLite(url)
    do {
      let given = try givenModel()
      let store = try InspectedStore(url, model: given)
      if need != .nothing {
        try store.requireStore()
        if let given { try require(given, metadata: store.metadata) }
      }
      if need == .model, store.model == nil {
        let reason = store.cacheProblem.map { "the copy of its model cannot be read: \($0)" }
        throw ToolError(
          "The store \(url.path) cannot be read without a model: \(reason ?? "it keeps no copy of its own"). "
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
      throw ToolError(Self.text(of: error))
    }
  }

  /// - Throws: a ``ToolError`` if the model of --model has other versions of the store's entities.
  func require(_ given: NSManagedObjectModel, metadata: [String: Any]) throws {
    guard let stored = metadata[NSStoreModelVersionHashesKey] as? [String: Data] else { return }
    let isTheStores = ([nil] + given.configurations).contains {
      given.isConfiguration(withName: $0, compatibleWithStoreMetadata: metadata)
    }
    if isTheStores { return }
    let hashes = given.entityVersionHashesByName
    let parts = [
      ("these entities differ", stored.keys.filter { hashes[$0] != nil && hashes[$0] != stored[$0] }),
      ("the store alone has", stored.keys.filter { hashes[$0] == nil }),
      ("the model alone has", hashes.keys.filter { stored[$0] == nil }),
    ]
    let texts = parts.filter { !$0.1.isEmpty }.map { "\($0.0): \($0.1.sorted().joined(separator: ", "))" }
    throw ToolError(
      "The model \(ModelInput.url(model ?? "").path) is not that of the store \(url.path); \(texts.joined(separator: "; "))."
    )
  }

  /// What an error says, with the reason where that says more.
  static func text(of error: any Error) -> String {
    let error = error as NSError
    let reason = error.localizedFailureReason.map { error.localizedDescription.contains($0) ? "" : " \($0)" } ?? ""
    return error.localizedDescription + reason
  }
}

/// What kind of store a file is, by how it begins.
enum StoreKind: String, Encodable {
  case sqlite = "SQLite"
  case xml = "XML"
  case binary = "binary"
  case unknown

  /// - Throws: a ``ToolError`` if there is no such file, or it cannot be read.
  static func of(_ url: URL) throws -> StoreKind {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else {
      throw ToolError("There is no file at \(url.path). Expected a store.")
    }
    if isFolder.boolValue { throw ToolError("\(url.path) is a folder. Expected a store.") }
    guard access(url.path, R_OK) == 0 else {
      throw ToolError("The file at \(url.path) cannot be read: \(String(cString: strerror(errno))).")
    }
    let size = try? FileManager.default.attributesOfItem(atPath: url.resolvingSymlinksInPath().path)[.size] as? NSNumber
    // SQLite would take it for a database without tables.
    if size == 0 { throw ToolError("The file at \(url.path) is empty. Expected a store.") }
    if StoredModel.isDatabase(url) { return .sqlite }
    // Only of what is no database: closing a file drops the locks that SQLite has on it in this process.
    guard let handle = try? FileHandle(forReadingFrom: url) else {
      throw ToolError("The file at \(url.path) cannot be read: \(String(cString: strerror(errno))).")
    }
    defer { try? handle.close() }
    let start = (try? handle.read(upToCount: 512)) ?? Data()
    if start.starts(with: "bplist".utf8) { return .binary }
    let text = String(decoding: start, as: UTF8.self)
    return text.contains("<!DOCTYPE database") || text.contains("<database") ? .xml : .unknown
  }

  /// - Throws: a ``ToolError`` for any other kind.
  func requireSQLite(_ url: URL) throws {
    switch self {
    case .sqlite: return
    case .xml, .binary: throw ToolError("\(url.path) seems to be a store of the kind \(rawValue). Expected SQLite.")
    case .unknown: throw ToolError("\(url.path) is no store: it does not begin as a SQLite database does.")
    }
  }
}

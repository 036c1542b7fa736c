import CommandSupport
import CoreData
import CoreDataTools
import Foundation
@_spi(Store) import OpenCoreData

/// Copies a store from or to a server: object by object, unless both are in servers, and compares the two.
struct StoreMove {
  private let source: URL
  private let kind: StoreKind
  private let target: URL
  private let targetType: String
  private let model: NSManagedObjectModel
  private let options: [AnyHashable: Any]
  private let line = isatty(STDERR_FILENO) != 0 ? ProgressLine() : nil

  /// - Parameter model: The file of the model; nil if the store contains a copy of its model.
  /// - Throws: A ``ToolError`` if the source is not a store, or if its model is not known.
  init(_ source: URL, _ kind: StoreKind, to target: URL, model: String?, options: [AnyHashable: Any]) throws {
    (self.source, self.kind, self.target, self.options) = (source, kind, target, options)
    if !target.isFileURL { try StorePlace.registerServers(for: target) }
    targetType = target.isFileURL ? NSSQLiteStoreType : StorePlace.serverType
    let kept = kind.isSQLite ? try ModelInput.store(source).model : try kind.keptModel(source)
    guard let known = try model.map({ try ModelInput($0).model }) ?? kept else {
      throw ToolError("The store \(source.shown) keeps no copy of its model. Give one with --model.")
    }
    self.model = known
  }

  func run() throws {
    defer { line?.clear() }
    if kind == .postgreSQL, !target.isFileURL {
      if try StorePlace.isTaken(target) { throw ToolError("There is a store at \(target.shown) already.") }
      return try failing { try StoreFile.replace(target, with: source, kind, options: options) }
    }
    let configuration = try configuration()
    try failing { try copy(configuration) }
    let difference: String?
    do {
      difference = try compare(configuration)
    } catch {
      throw ToolError("The copy at \(target.shown) cannot be compared with \(source.shown)", error)
    }
    if let difference {
      throw ToolError(
        "The copy at \(target.shown) is not the store \(source.shown), which others may have written since: "
          + "\(difference).")
    }
  }

  private func failing(_ body: () throws -> Void) throws {
    do {
      try body()
    } catch let error as NSError where error.code == CocoaError.Code.fileWriteFileExists.rawValue {
      throw ToolError("There is something at \(target.shown) already: \(StoreErrors.text(of: error))")
    } catch {
      throw ToolError("The store \(source.shown) cannot be copied to \(target.shown): \(StoreErrors.text(of: error))")
    }
  }

  /// Returns the configuration of the model that the store uses; nil for the whole model.
  private func configuration() throws -> String? {
    let metadata: [String: Any]
    do {
      metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
        ofType: kind.type, at: source, options: options)
    } catch {
      throw ToolError(StoreErrors.text(of: error))
    }
    if model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata) { return nil }
    let found = model.configurations.sorted().first {
      model.isConfiguration(withName: $0, compatibleWithStoreMetadata: metadata)
    }
    if let found { return found }
    throw ToolError("The model is not that of the store \(source.shown).")
  }

  private func open(
    _ url: URL, _ type: String, _ configuration: String?, isReadOnly: Bool
  ) throws -> (coordinator: NSPersistentStoreCoordinator, store: NSPersistentStore) {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    var options = options
    if isReadOnly { options[NSReadOnlyPersistentStoreOption] = true }
    let store = try coordinator.addPersistentStore(
      ofType: type, configurationName: configuration, at: url, options: options)
    return (coordinator, store)
  }

  private func copy(_ configuration: String?) throws {
    // Locking a store requires permission to write it.
    let isReadOnly = source.isFileURL && access(source.path, W_OK) != 0
    let (coordinator, store) = try open(source, kind.type, configuration, isReadOnly: isReadOnly)
    let copy = try watching("Copying objects") {
      try coordinator.migratePersistentStore(store, to: target, options: options, withType: targetType)
    }
    try coordinator.remove(copy)
  }

  /// - Returns: The first difference; nil if there is none.
  private func compare(_ configuration: String?) throws -> String? {
    let (first, store) = try open(source, kind.type, configuration, isReadOnly: true)
    let (second, copy) = try open(target, targetType, configuration, isReadOnly: true)
    let progress = Progress(totalUnitCount: 0)
    let watch = line.map { ProgressWatch(progress, on: $0) { "Comparing objects: \($0) of \($1)" } }
    defer { watch?.end() }
    let difference = try StoreComparison(StoreObjectReader(store, first), StoreObjectReader(copy, second))
      .run(progress: progress)
    try first.remove(store)
    try second.remove(copy)
    return difference
  }

  /// Runs a function and shows its progress.
  private func watching<Result>(_ text: String, _ body: () throws -> Result) rethrows -> Result {
    guard let line else { return try body() }
    let progress = Progress(totalUnitCount: 1000)
    let watch = ProgressWatch(progress, on: line) { "\(text): \(Int(Double($0) / Double(max($1, 1)) * 100)) %" }
    defer { watch.end() }
    progress.becomeCurrent(withPendingUnitCount: 1000)
    defer { progress.resignCurrent() }
    return try body()
  }
}

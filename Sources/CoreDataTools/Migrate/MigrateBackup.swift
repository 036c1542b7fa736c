import CommandSupport
import CoreData
import Foundation
@_spi(Store) import OpenCoreData

/// A copy of a store beside it, with its log and external data.
package struct MigrateBackup {
  package let url: URL
  private let kind: StoreKind

  /// Makes the copy, under a name that is not in use yet.
  /// - Throws: a ``ToolError`` if the copy cannot be made; no part of the copy is left then.
  package init(of subject: MigrateSubject, _ reporter: ProgressReporter?) throws {
    kind = subject.kind
    let progress = Progress(totalUnitCount: 0)
    defer { reporter?.clear() }
    var number = 1
    while true {
      let place = Self.place(beside: subject.url, number)
      number += 1
      if try Self.isTaken(place) { continue }
      do {
        let (kind, options) = (kind, subject.options)
        let copy = { try StoreFile.copy(subject.url, to: place, kind, options: options, progress: progress) }
        if let reporter {
          try reporter.watching(
            progress, { ToolProgress("Making a backup", Int($0), of: Int($1), unit: "pages") }, copy)
        } else {
          try copy()
        }
        url = place
        return
      } catch let error as NSError where error.code == CocoaError.Code.fileWriteFileExists.rawValue {
        // Another process has created a file of that name meanwhile.
        continue
      } catch let error as CancellationError {
        throw error
      } catch {
        throw ToolError(
          "The backup of \(subject.url.shown) cannot be made at \(place.shown): \(StoreErrors.text(of: error)) "
            + "The store is as it was; --no-backup migrates without one.")
      }
    }
  }

  private static func place(beside store: URL, _ number: Int) -> URL {
    let addition = "-backup\(number > 1 ? "-\(number)" : "")"
    if !store.isFileURL { return StorePlace.schema(beside: store, addition) }
    let name = store.deletingPathExtension().lastPathComponent
    let suffix = store.pathExtension.isEmpty ? "" : "." + store.pathExtension
    return store.deletingLastPathComponent()
      .appending(path: "\(name)\(addition)\(suffix)")
  }

  /// Returns whether there is a store at the URL, or the external data of a store.
  private static func isTaken(_ url: URL) throws -> Bool {
    if !url.isFileURL { return try StorePlace.isTaken(url) }
    let support = url.deletingLastPathComponent()
      .appending(path: ".\(url.deletingPathExtension().lastPathComponent)_SUPPORT")
    return [url.path, support.path].contains { FileManager.default.fileExists(atPath: $0) }
  }

  /// Removes the backup; it is not needed if nothing has been changed.
  package func remove() {
    try? NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel())
      .removePersistentStore(at: url, ofType: kind.type, options: nil)
  }
}

/// Copies of stores of every kind.
package enum StoreFile {
  /// - Parameter isQuiet: Whether every byte of the store and its folder must stay as it is.
  /// - Throws: the error of copying the store; 516 if there is something at the destination.
  package static func copy(
    _ source: URL, to destination: URL, _ kind: StoreKind, options: [AnyHashable: Any]? = nil,
    progress: Progress? = nil, isQuiet: Bool = false
  ) throws {
    if kind == .postgreSQL { return try replace(destination, with: source, kind, options: options) }
    guard !kind.isSQLite else {
      return try NSPersistentStoreCoordinator.copyPersistentStore(
        at: source, to: destination, options: options, progress: progress, isQuiet: isQuiet)
    }
    // A store in one XML or binary file is replaced as a whole when it is saved, so a copy shows one moment.
    try RegularFile.copy(source, to: destination)
  }

  /// Puts the content of one store in the place of another.
  package static func replace(
    _ destination: URL, with source: URL, _ kind: StoreKind, options: [AnyHashable: Any]? = nil
  ) throws {
    try NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel()).replacePersistentStore(
      at: destination, destinationOptions: options, withPersistentStoreFrom: source, sourceOptions: options,
      ofType: kind.type)
  }
}

import ArgumentParser
import CommandSupport
import CoreData
import CoreDataTools
import Foundation
import OpenCoreData

/// `coredata store copy`: makes a consistent copy of a store that may be in use.
struct StoreCopy: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "copy", abstract: "Copies a store with its log and external data.",
    discussion: """
      The copy is the store as it is at one moment, what is in its log alone included, while others may go on reading \
      and writing it. There must be nothing at the destination. A log that nobody uses is moved into the store first, as \
      by any program that opens it.

      From or to a PostgreSQL server (postgresql://user@host/database?schema=name) all objects are copied, with their keys \
      and the application's metadata, while nobody can save to the source, and compared afterwards: values to the bit, \
      members and their order. The copy has a UUID of its own, and no history. Within a server the copy has both.
      """)

  @Argument(help: "The store.")
  var file: String

  @Argument(help: "Where the copy is to be.")
  var destination: String

  @Option(help: "The model, for a store that keeps no copy of its own and goes to a server.")
  var model: String?

  @OptionGroup var lock: LockTimeout

  func run() throws {
    let source = ModelInput.url(file), target = ModelInput.url(destination)
    let kind = try StoreKind.of(source)
    if kind == .postgreSQL || !target.isFileURL {
      return try StoreMove(source, kind, to: target, model: model, options: lock.storeOptions).run()
    }
    guard kind.isSQLite else { return try copyFile(kind, source, target) }
    let line = isatty(STDERR_FILENO) != 0 ? ProgressLine() : nil
    let progress = Progress(totalUnitCount: 0)
    let watch = line.map { ProgressWatch(progress, on: $0) { "Copying pages: \($0) of \($1)" } }
    defer {
      watch?.end()
      line?.clear()
    }
    do {
      try NSPersistentStoreCoordinator.backUpPersistentStore(
        at: source, to: target, options: lock.storeOptions, progress: progress)
    } catch {
      throw ToolError("The store \(source.path) cannot be copied to \(target.path)", error)
    }
  }

  /// Copies a store that is one file. A save replaces that file as a whole, so the copy has the state after one save.
  private func copyFile(_ kind: StoreKind, _ source: URL, _ target: URL) throws {
    _ = try kind.metadata(source)
    do {
      try RegularFile.copy(source, to: target)
    } catch let error as NSError where error.code == CocoaError.Code.fileWriteFileExists.rawValue {
      throw ToolError("There is something at \(target.path) already.")
    } catch {
      throw ToolError("The store \(source.path) cannot be copied to \(target.path)", error)
    }
  }
}

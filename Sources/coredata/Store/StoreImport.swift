import ArgumentParser
import CommandSupport
import CoreData
import CoreDataTools
import Foundation
import OpenCoreData

/// `coredata store import`: imports objects from JSON or CSV.
struct StoreImport: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Inserts objects from JSON or CSV into a store. Writes the store.",
    discussion: """
      Reads what export writes: a JSON document, a CSV file with --entity, or a folder of CSV files. Objects are always \
      new; their ids serve the relationships of what is imported, and other ids name objects that the store has. \
      Derived attributes are left to the store. A side of a one-to-one relationship that the source gives is kept as \
      it is, null too; one that it leaves out follows the other side. With --model, a store that is not there is made.

      Everything is imported in one save, or nothing. A store that keeps a history gets a transaction of the author \
      "coredata store import" in it, so that the programs that read the history hear of the objects.
      """)

  @OptionGroup var input: StoreInput

  @Argument(help: "The JSON document, CSV file, or folder of CSV files.")
  var source: String

  @Option(help: "The entity of a CSV file; of other input, the one entity to import.")
  var entity: String?

  @Option(help: "json or csv, where the file's name does not tell.")
  var format: StoreExport.Format?

  @Flag(help: "Do everything in a copy that is thrown away.")
  var dryRun = false

  @OptionGroup var lock: LockTimeout

  func run() throws {
    let (kind, isNew) = try place()
    let writing =
      isNew ? nil : try WritingOptions(input.access(), kind, timeout: lock.timeout, warning: StoreInput.warn)
    let model = try writing?.model ?? givenModel()
    let source = try ImportSource(self.source, format: format, entity: entity, model: model)
    // A dry run into a new store uses a temporary SQLite file, whatever the type of the new store.
    let type = dryRun && isNew ? .sqlite : kind
    let rehearsal = dryRun ? try Rehearsal(of: isNew ? nil : input.url, type, options: lock.storeOptions) : nil
    let url = rehearsal?.url ?? input.url
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    do {
      let count = try run(source, coordinator, url, type, writing?.options ?? lock.storeOptions)
      let objects = "\(count) \(count == 1 ? "object" : "objects")"
      let history = writing?.hasHistory == true && count > 0 ? ", with a transaction in the store's history" : ""
      print("\(dryRun ? "Would import" : "Imported") \(objects)\(history)")
      withExtendedLifetime(rehearsal) {}
    } catch {
      for store in coordinator.persistentStores { try? coordinator.remove(store) }
      // A store that this command created is removed after a failure.
      let force = [NSPersistentStoreForceDestroyOption: NSNumber(value: true)]
      if isNew { try? coordinator.removePersistentStore(at: url, ofType: type.type, options: force) }
      throw error
    }
  }

  /// The author of the transaction in a store's history.
  private static let author = "coredata store import"

  /// Returns the type of the store, and whether the command creates it.
  private func place() throws -> (kind: StoreKind, isNew: Bool) {
    if input.url.isFileURL, !FileManager.default.fileExists(atPath: input.url.path) { return (.sqlite, true) }
    let kind = try StoreKind.of(input.url)
    guard kind == .postgreSQL else {
      try kind.requireSQLite(input.url)
      return (kind, false)
    }
    do { return (kind, try !StorePlace.isTaken(input.url)) } catch { throw ToolError(StoreErrors.text(of: error)) }
  }

  private func givenModel() throws -> NSManagedObjectModel {
    if let model = try input.access().given { return model }
    throw ToolError("There is no store at \(input.url.shown). Give --model to have one made.")
  }

  private func run(
    _ source: ImportSource, _ coordinator: NSPersistentStoreCoordinator, _ url: URL, _ kind: StoreKind,
    _ options: [AnyHashable: Any]
  ) throws -> Int {
    let store: NSPersistentStore
    do {
      store = try coordinator.addPersistentStore(
        ofType: kind.type, configurationName: nil, at: url, options: options)
    } catch {
      throw ToolError(StoreErrors.text(of: error))
    }
    let progress = isatty(STDERR_FILENO) != 0 ? ProgressLine() : nil
    defer { progress?.clear() }
    func show(_ text: String, _ done: Int) {
      if done % 1000 == 0 { progress?.show("\(text): \(done)") }
    }
    let model = coordinator.managedObjectModel
    let streamed = StreamedImport(coordinator, store, model, author: Self.author)
    let isDone: Bool
    do { isDone = try streamed.run(source, show) } catch let error as ToolError { throw error } catch {
      throw ToolError(StoreErrors.text(of: error))
    }
    let count = try isDone ? streamed.count : importWhole(source, coordinator, store, model, show)
    try coordinator.remove(store)
    return count
  }

  /// Imports a document whose objects all have to be in memory: it leaves sides of relationships out, or names objects of the
  /// store.
  private func importWhole(
    _ source: ImportSource, _ coordinator: NSPersistentStoreCoordinator, _ store: NSPersistentStore,
    _ model: NSManagedObjectModel, _ show: (String, Int) -> Void
  ) throws -> Int {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    context.transactionAuthor = Self.author
    return try context.performAndWait { () throws -> Int in
      let importer = StoreImporter(context, store, model)
      try importer.insert(source, show)
      show("Saving", importer.count)
      do { try context.save() } catch { throw importer.describe(error) }
      return importer.count
    }
  }
}

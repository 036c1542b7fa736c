import ArgumentParser
import CommandSupport
import CoreData
import CoreDataTools
import Foundation
import OpenCoreData

/// `coredata store destroy`: removes a store with all its files.
struct StoreDestroy: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "destroy", abstract: "Removes a store with its log and external data. Needs --yes.",
    discussion: """
      What others have open becomes empty for them. A file that is no store is left alone, and so is what others have in \
      the schema of a store in a PostgreSQL server.
      """)

  @Argument(help: "The store.")
  var file: String

  @Flag(help: "Really remove it.")
  var yes = false

  @OptionGroup var lock: LockTimeout

  func validate() throws {
    if !yes { throw ValidationError("Nothing was removed: removing the store for good needs --yes.") }
  }

  func run() throws {
    let url = ModelInput.url(file)
    let kind = try StoreKind.of(url)
    // Files that are no stores may begin as a binary store does; reading the metadata fails for such files.
    if !kind.isSQLite { _ = try kind.metadata(url) }
    do {
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel())
      try coordinator.removePersistentStore(
        at: url, ofType: kind.type, options: lock.storeOptions)
    } catch {
      throw ToolError("The store \(url.shown) cannot be removed", error)
    }
  }
}

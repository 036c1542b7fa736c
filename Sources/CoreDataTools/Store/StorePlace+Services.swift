import CommandSupport
import Foundation
import OpenCoreData

// Web services: the store class that asks them is in a package of its own, `Examples/WebStore`, and a program registers it.
extension StorePlace {
  /// The type of stores over web services.
  package static let serviceType = "WebIncrementalStore"

  /// The key under which the metadata that such a class reads have a text that differs between two states of the objects.
  package static let serviceStateKey = "WebStoreState"

  /// Returns whether a URL is that of a web service.
  package static func isService(_ url: URL) -> Bool { ["http", "https"].contains(url.scheme?.lowercased()) }

  /// - Throws: a ``ToolError`` if the program has not registered a class for web services.
  package static func requireServices(for url: URL) throws {
    if NSPersistentStoreCoordinator.registeredStoreTypes[serviceType] != nil { return }
    throw ToolError(
      "\(url.shown) is a web service, which this program cannot ask. Copy its objects into a file with WebClient, a program "
        + "of Examples/WebStore, and open that file: WebClient --store \(url.shown) --model MODEL --copy "
        + "Copy.sqlite")
  }
}

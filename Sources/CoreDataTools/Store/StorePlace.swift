import CommandSupport
import Foundation
@_spi(Store) import OpenCoreData

#if PostgreSQL
  import CoreDataPostgreSQL
#endif

/// The places of stores: files, schemas of PostgreSQL servers, and web services.
package enum StorePlace {
  /// The type of stores in servers.
  package static let serverType = "PostgreSQL"

  /// Registers the type of stores in servers.
  /// - Throws: a ``ToolError`` if this tool was built without that type, or the URL is not that of such a server.
  package static func registerServers(for url: URL) throws {
    if isService(url) { throw ToolError("\(url.shown) is a web service, in which no store can be made.") }
    #if PostgreSQL
      PostgreSQLStore.register()
    #else
      throw ToolError(
        "The store \(url.shown) is in a PostgreSQL server, and this tool was built without them: build it with "
          + "--traits PostgreSQL.")
    #endif
  }

  /// Returns the place of another store in the same database. Its schema has the name of the given store's schema with an
  /// addition.
  package static func schema(beside url: URL, _ addition: String) -> URL {
    guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return url }
    let items = parts.queryItems ?? []
    let name = items.last { $0.name == "schema" }?.value ?? "public"
    // PostgreSQL allows names of at most 63 bytes.
    var start = name
    while start.utf8.count + addition.utf8.count > 63 { start.removeLast() }
    parts.queryItems = items.filter { $0.name != "schema" } + [URLQueryItem(name: "schema", value: start + addition)]
    return parts.url ?? url
  }

  /// Returns whether there is a store in a schema of a server.
  package static func isTaken(_ url: URL) throws -> Bool {
    try NSPersistentStoreCoordinator.registeredStoreTypes[serverType]?.isPresent(at: url, options: nil) ?? false
  }
}

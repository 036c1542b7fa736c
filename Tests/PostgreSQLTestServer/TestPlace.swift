import Foundation

/// Places of stores on the server that all tests of a process share: each in a schema of its own.
public enum TestPlace {
  /// A place where nothing is yet.
  public static func new() throws -> URL {
    let server = try PostgreSQLServer.shared.get()
    let schema = "t\(UUID().uuidString.prefix(12).lowercased().filter { $0 != "-" })"
    return server.url().appending(queryItems: [URLQueryItem(name: "schema", value: String(schema))])
  }
}

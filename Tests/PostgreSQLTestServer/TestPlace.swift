import Foundation

/// Makes URLs of stores on the server that all tests of a process share, each in a schema of its own.
public enum TestPlace {
  /// Returns the URL of a place where there is no store yet.
  public static func new() throws -> URL {
    let server = try PostgreSQLServer.shared.get()
    let schema = "t\(UUID().uuidString.prefix(12).lowercased().filter { $0 != "-" })"
    return server.url().appending(queryItems: [URLQueryItem(name: "schema", value: String(schema))])
  }
}

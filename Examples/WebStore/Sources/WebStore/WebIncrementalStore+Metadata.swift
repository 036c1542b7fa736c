import CoreData
import Foundation
import WebProtocol

// What a service says of itself.
extension WebIncrementalStore {
  /// The key of the metadata of a service that is not opened, under which they have a text that differs between two states of its
  /// objects. A program that has a copy of the objects compares it. An opened store has no such key, since others save meanwhile.
  public static let stateKey = "WebStoreState"

  /// Asks a service what it is.
  static func reach(_ url: URL?, _ options: WebStoreOptions) throws -> (connection: WebConnection, answer: StoreAnswer)
  {
    guard let url, ["http", "https"].contains(url.scheme?.lowercased()), url.host?.isEmpty == false else {
      throw NSError(
        web: .notAService, "A web store needs a URL with http or https, not \(url?.withoutSecrets ?? "none").")
    }
    let base = url.absoluteString.hasSuffix("/") ? url : url.appendingPathComponent("", isDirectory: true)
    let connection = WebConnection(base, options)
    do {
      return (connection, try connection.get("store"))
    } catch let away as AwayError {
      throw away.error
    } catch let no as StatusError { throw NSError(no.failure, status: no.status) }
  }

  static func metadata(of answer: StoreAnswer) -> [String: Any] {
    [
      NSStoreUUIDKey: answer.identifier, NSStoreTypeKey: type,
      NSStoreModelVersionHashesKey: answer.hashes.compactMapValues { Data(base64Encoded: $0) },
    ]
  }
}

extension URL {
  /// The URL as an error may show it: without a user, a password and a query, which may be keys.
  var withoutSecrets: String {
    guard var parts = URLComponents(url: self, resolvingAgainstBaseURL: true) else { return scheme ?? "" }
    (parts.user, parts.password, parts.query, parts.fragment) = (nil, nil, nil, nil)
    return parts.string ?? scheme ?? ""
  }
}

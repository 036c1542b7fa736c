import Foundation

extension URL {
  /// The URL as a text for people: a file's path, or the URL without its password.
  public var shown: String {
    if isFileURL { return path }
    guard var parts = URLComponents(url: self, resolvingAgainstBaseURL: true) else { return scheme ?? "" }
    parts.password = nil
    parts.queryItems = parts.queryItems?.filter { !["password", "sslpassword"].contains($0.name) }
    return parts.string ?? scheme ?? ""
  }
}

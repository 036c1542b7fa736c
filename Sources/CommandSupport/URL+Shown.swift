import Foundation

extension URL {
  /// The place as people read it: a path, or a URL without passwords.
  public var shown: String {
    if isFileURL { return path }
    guard var parts = URLComponents(url: self, resolvingAgainstBaseURL: true) else { return scheme ?? "" }
    parts.password = nil
    parts.queryItems = parts.queryItems?.filter { !["password", "sslpassword"].contains($0.name) }
    return parts.string ?? scheme ?? ""
  }
}

import Foundation

/// A model in addresses and forms: the model in a store, or a version of a file that was named at the start.
enum ModelReference: Sendable, Hashable {
  case store(String)
  case file(String, version: String?)

  /// Parses a reference; nil if the text is not one.
  init?(_ text: String) {
    let parts = text.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
    switch (parts.first, parts.count) {
    case ("stores", 2...): self = .store(parts.dropFirst().joined(separator: "/"))
    case ("models", 2): self = .file(parts[1], version: nil)
    case ("models", 3): self = .file(parts[1], version: parts[2])
    default: return nil
    }
  }

  /// The text of the reference, such as `stores/People.sqlite` or `models/People.xcdatamodeld/People 2`.
  var text: String {
    switch self {
    case .store(let name): "stores/\(name)"
    case .file(let name, let version): "models/\(name)" + (version.map { "/\($0)" } ?? "")
    }
  }

  /// The address of the model's page.
  var link: String {
    switch self {
    case .store(let name): Link.store(name) + "/model"
    case .file(let name, let version): Link.query(Link.path("models", name), [("version", version)])
    }
  }
}

/// The class that a model names for an entity: `Photo`, `.Photo` (in the module that is built) or `Module.Photo`.
struct ManagedClassName: Equatable {
  /// The module, if one is named.
  var module: String?
  var name: String

  /// Returns nil if the entity's objects are plain NSManagedObjects.
  init?(_ text: String?) {
    guard let text else { return nil }
    let parts = text.split(separator: ".", omittingEmptySubsequences: true).map(String.init)
    guard let last = parts.last, last != "NSManagedObject" else { return nil }
    name = last
    if parts.count > 1, !text.hasPrefix(".") { module = parts.dropLast().joined(separator: ".") }
  }

  /// Whether a class can have the name without backticks. `Type` and `Protocol` need none in classes outside of other
  /// types.
  var isValid: Bool { SourceName.spelled(name) == name || ["Type", "Protocol"].contains(name) }
}

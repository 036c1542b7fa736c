import Foundation

/// A problem in a model file, with its place.
struct ModelProblem: Error {
  /// The kinds of problem, with the codes of NSCocoaErrorDomain that clients see.
  enum Kind: Int {
    /// NSFileReadNoSuchFileError
    case missing = 260
    /// NSFileReadUnknownError: the contents of the file are not known.
    case unreachable = 256
    /// NSFileReadCorruptFileError
    case unreadable = 259
    /// NSPersistentStoreIncompatibleSchemaError
    case inconsistent = 134020
  }

  var kind: Kind
  var reason: String
  var entity: String?
  var property: String?

  /// Returns a problem for a contradiction within the model.
  static func inconsistent(_ reason: String, entity: String? = nil, property: String? = nil) -> ModelProblem {
    ModelProblem(kind: .inconsistent, reason: reason, entity: entity, property: property)
  }

  /// Returns a problem for a file that is not what its name or its first bytes promise.
  static func unreadable(_ reason: String) -> ModelProblem { ModelProblem(kind: .unreadable, reason: reason) }

  /// Returns the error that clients see, which names the file, the entity and the property.
  func error(file: URL, of kind: String = "model") -> NSError {
    let place = [entity, property].compactMap { $0 }.joined(separator: ".")
    let text = place.isEmpty ? reason : "\(place): \(reason)"
    var info: [String: Any] = [
      NSLocalizedDescriptionKey: "The \(kind) at \(file.path) could not be read. \(text)",
      NSLocalizedFailureReasonErrorKey: text,
      NSFilePathErrorKey: file.path,
    ]
    info["entity"] = entity
    info["property"] = property
    return NSError(domain: NSCocoaErrorDomain, code: self.kind.rawValue, userInfo: info)
  }
}

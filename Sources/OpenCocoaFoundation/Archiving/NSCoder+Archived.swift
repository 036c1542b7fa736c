import Foundation

extension NSCoder {
  /// Decodes a part of a predicate. If `decode` throws, returns nil and reports the reason to the coder.
  func decoding<T>(_ decode: () throws -> T) -> T? {
    do {
      // This part is inside of another one, and was checked together with it.
      if ArchiveCheck.coder == ObjectIdentifier(self) {
        return try StackRoom.extended {
          try ArchiveCheck.$coder.withValue(ObjectIdentifier(self), operation: decode)
        }
      }
      guard let unarchiver = self as? NSKeyedUnarchiver else { return try decode() }
      try ArchiveCheck.check(unarchiver)
      return try ArchiveCheck.$coder.withValue(ObjectIdentifier(self)) {
        try ArchivedDecimal.withReader(unarchiver, decode)
      }
    } catch {
      let reason = (error as? ArchiveProblem)?.reason ?? "\(error)"
      failWithError(CocoaError(.coderReadCorrupt, userInfo: [NSDebugDescriptionErrorKey: reason]))
      return nil
    }
  }

  /// Returns the object under a key; its class must be one that archives of predicates have, or that the caller allows.
  func archivedObject(_ key: String) throws -> Any? {
    let value = decodeObject(of: ArchiveCheck.classes + (allowedClasses ?? []), forKey: key)
    if let error { throw error }
    return value
  }

  /// Returns the object under a key; throws an `ArchiveProblem` if it has not the given type.
  func archived<T>(_ type: T.Type, _ key: String) throws -> T {
    guard let value = try archivedObject(key) as? T else { throw ArchiveProblem("\(key) is no \(type).") }
    return value
  }

  /// Returns the expression under a key.
  func archivedExpression(_ key: String) throws -> NSExpression {
    try archived(NSExpression.self, key).requireValue()
  }

  /// Returns the expressions in the array under a key.
  func archivedExpressions(_ key: String) throws -> [NSExpression] {
    try archived([NSExpression].self, key).map { try $0.requireValue() }
  }
}

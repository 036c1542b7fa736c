import Foundation

extension NSCoder {
  /// Decodes a part of a predicate; gives nil and tells the coder the reason when it is none.
  func decoding<T>(_ decode: () throws -> T) -> T? {
    do {
      // Inner objects were checked together with the outer one.
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

  /// The object under a key, of a class that archives of predicates have, or that the caller allows.
  func archivedObject(_ key: String) throws -> Any? {
    let value = decodeObject(of: ArchiveCheck.classes + (allowedClasses ?? []), forKey: key)
    if let error { throw error }
    return value
  }

  /// The object under a key, of a type.
  func archived<T>(_ type: T.Type, _ key: String) throws -> T {
    guard let value = try archivedObject(key) as? T else { throw ArchiveProblem("\(key) is no \(type).") }
    return value
  }

  /// The expression under a key.
  func archivedExpression(_ key: String) throws -> NSExpression {
    try archived(NSExpression.self, key).requireValue()
  }

  /// The expressions in the array under a key.
  func archivedExpressions(_ key: String) throws -> [NSExpression] {
    try archived([NSExpression].self, key).map { try $0.requireValue() }
  }
}

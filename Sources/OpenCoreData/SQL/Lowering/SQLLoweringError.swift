import OpenCocoaFoundation
import Foundation

/// Why a predicate, a sort descriptor or an expression has no SQL, in the words of Apple's framework.
enum SQLLoweringError {
  /// NSCoreDataError: Apple's framework raises NSInvalidArgumentException instead.
  static let code = 134060

  /// An error for what a store cannot do. The caller throws it, or stops the program where Apple's framework would.
  static func make(_ reason: String) -> NSError {
    NSError(coreData: code, reason, ["reason": reason])
  }

  static func keyPathNotFound(_ keyPath: String, in entity: SQLEntity) -> NSError {
    make("keypath \(keyPath) not found in entity \(entity.name)")
  }

  static func toMany(_ keyPath: String) -> NSError { make("to-many key not allowed here: \(keyPath)") }

  static func predicate(_ predicate: NSPredicate) -> NSError {
    make("Unknown predicate type for predicate: \(PredicatePrinter.text(of: predicate))")
  }

  static func unsupported(_ part: String, _ what: Any) -> NSError { make("\(part): \(what)") }
}

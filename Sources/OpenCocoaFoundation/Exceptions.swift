import Foundation

/// The names of the exceptions that Apple's frameworks raise for programming errors.
package enum ExceptionName: String {
  case invalidArgument = "NSInvalidArgumentException"
  case internalInconsistency = "NSInternalInconsistencyException"
  case undefinedKey = "NSUnknownKeyException"
  case objectInaccessible = "NSObjectInaccessibleException"
  case range = "NSRangeException"
}

/// Stops the program where Apple's framework raises an exception, with a message of the same content.
///
/// Swift cannot catch an exception, and code that raises one is wrong in the same way on every platform.
package func raise(_ name: ExceptionName, _ reason: String, file: StaticString = #file, line: UInt = #line) -> Never {
  fatalError(
    "*** Terminating app due to uncaught exception '\(name.rawValue)', reason: '\(reason)'", file: file, line: line)
}

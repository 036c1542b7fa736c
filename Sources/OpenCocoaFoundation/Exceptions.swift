#if canImport(Glibc)
  @preconcurrency import Glibc
#elseif canImport(Musl)
  @preconcurrency import Musl
#endif

/// The names of the exceptions that Apple's frameworks raise for programming errors.
package enum ExceptionName: String {
  case invalidArgument = "NSInvalidArgumentException"
  case internalInconsistency = "NSInternalInconsistencyException"
  case undefinedKey = "NSUnknownKeyException"
  case objectInaccessible = "NSObjectInaccessibleException"
  case range = "NSRangeException"
}

/// Stops the program where Apple's frameworks raise an exception. The message says the same as the exception.
///
/// Swift cannot catch an exception, and code that raises one is wrong in the same way on every platform.
package func raise(_ name: ExceptionName, _ reason: String, file: StaticString = #file, line: UInt = #line) -> Never {
  stop(
    "*** Terminating app due to uncaught exception '\(name.rawValue)', reason: '\(reason)'", file: file, line: line)
}

/// Stops the program with a message, after it has written out the standard output: if the standard output is no terminal, it
/// is buffered, and the contents of the buffer would be lost.
package func stop(_ message: String, file: StaticString = #file, line: UInt = #line) -> Never {
  fflush(stdout)
  fatalError(message, file: file, line: line)
}

import Foundation

/// Why a predicate, an expression or a sort descriptor has no value for an object: its format is correct, but it uses
/// something that does not exist, such as a key that the object does not have.
///
/// As an NSError it has the domain NSCocoaErrorDomain and the code 134060 (NSCoreDataError).
///
/// Not in Apple's framework (D-EXT-26), which raises an exception of Objective-C.
public struct OCDEvaluationError: LocalizedError, CustomNSError, CustomStringConvertible, Sendable {
  /// What was expected, and what was found.
  public let reason: String

  /// The format of the smallest part that has no value; nil where that is not part of a predicate.
  public private(set) var part: String?

  /// The exception that Apple's framework raises.
  package let exception: ExceptionName

  package init(_ reason: String, exception: ExceptionName = .invalidArgument) {
    self.reason = reason
    self.exception = exception
  }

  /// The reason and the part.
  public var description: String { part.map { "\(reason) (in \($0))" } ?? reason }

  /// The description.
  public var errorDescription: String? { description }

  /// NSCocoaErrorDomain, as of all errors of the framework.
  public static var errorDomain: String { NSCocoaErrorDomain }

  /// 134060, NSCoreDataError.
  public var errorCode: Int { 134060 }

  /// The reason, under "reason".
  public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: description, "reason": description] }

  /// The longest text of a part: a constant collection may have any size.
  private static let longestPart = 500

  /// The error with the part that it came up in, unless a smaller one is named already.
  func inPart(_ text: @autoclosure () -> String) -> OCDEvaluationError {
    guard part == nil else { return self }
    var error = self
    let text = text()
    error.part = text.count > Self.longestPart ? String(text.prefix(Self.longestPart)) + "…" : text
    return error
  }

  /// The error of a recursion that has used up the stack.
  package static var nestedTooDeeply: OCDEvaluationError {
    OCDEvaluationError("It is nested too deeply for the stack of this thread.")
  }
}

/// Returns the result of `body`. If `body` throws, it stops the program, as Apple's framework raises an exception.
func required<Value>(_ body: () throws -> Value) -> Value {
  do { return try body() } catch { stop(for: error) }
}

/// Stops the program for an error that there is no way to throw.
func stop(for error: any Error) -> Never {
  if let error = error as? OCDEvaluationError { raise(error.exception, error.description) }
  raise(.invalidArgument, "\(error)")
}

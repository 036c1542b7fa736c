import Foundation

/// The error that the evaluation of a predicate, an expression or a sort descriptor failed. Its format is correct, but it uses
/// something that does not exist, such as a key that the object does not have.
///
/// As an NSError it has the domain NSCocoaErrorDomain and the code 134060 (NSCoreDataError).
///
/// Not in Apple's framework (D-EXT-26), which raises an Objective-C exception instead.
public struct OCDEvaluationError: LocalizedError, CustomNSError, CustomStringConvertible, Sendable {
  /// The reason: what was expected and what was found.
  public let reason: String

  /// The format of the smallest comparison whose evaluation failed; nil if the error did not occur in a comparison.
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

  /// NSCocoaErrorDomain, the domain of all errors of the framework.
  public static var errorDomain: String { NSCocoaErrorDomain }

  /// 134060, NSCoreDataError.
  public var errorCode: Int { 134060 }

  /// The description, also under the key "reason".
  public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: description, "reason": description] }

  /// The greatest length of the text of a part. The text is cut because a constant collection may have any size.
  private static let longestPart = 500

  /// Returns the error with the part that it occurred in, unless it already names a smaller part.
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

/// Returns the result of `body`. Stops the program if `body` throws; Apple's framework raises an exception there.
func required<Value>(_ body: () throws -> Value) -> Value {
  do { return try body() } catch { stop(for: error) }
}

/// Stops the program because of an error that cannot be thrown.
func stop(for error: any Error) -> Never {
  if let error = error as? OCDEvaluationError { raise(error.exception, error.description) }
  raise(.invalidArgument, "\(error)")
}

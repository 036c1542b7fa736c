import Foundation

/// A failure of a command, with a message for its user.
public struct ToolError: Error, CustomStringConvertible {
  /// The message.
  public let description: String
  /// The message without the name of the file, for output that has named the file already.
  public let reason: String

  /// A failure in words.
  public init(_ description: String, reason: String? = nil) {
    self.description = description
    self.reason = reason ?? description
  }

  /// Makes an error whose message says first what was attempted and then the cause.
  public init(_ attempt: String, _ error: any Error) {
    let cause = error as NSError
    let known = error is ToolError ? "\(error)" : "\(cause.localizedDescription) (\(cause.domain) \(cause.code))"
    self.init("\(attempt): \(known)")
  }
}

import Foundation

/// A failure, in words for whoever typed the command.
public struct ToolError: Error, CustomStringConvertible {
  /// What went wrong.
  public let description: String
  /// The same where the file is named already.
  public let reason: String

  /// A failure in words.
  public init(_ description: String, reason: String? = nil) {
    self.description = description
    self.reason = reason ?? description
  }

  /// Puts what was tried before what went wrong.
  public init(_ attempt: String, _ error: any Error) {
    let cause = error as NSError
    let known = error is ToolError ? "\(error)" : "\(cause.localizedDescription) (\(cause.domain) \(cause.code))"
    self.init("\(attempt): \(known)")
  }
}

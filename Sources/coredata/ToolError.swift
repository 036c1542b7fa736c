import Foundation

/// A failure, in words for whoever typed the command.
struct ToolError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }

  /// Puts what was tried before what went wrong.
  init(_ attempt: String, _ error: any Error) {
    let cause = error as NSError
    let known = error is ToolError ? "\(error)" : "\(cause.localizedDescription) (\(cause.domain) \(cause.code))"
    description = "\(attempt): \(known)"
  }
}

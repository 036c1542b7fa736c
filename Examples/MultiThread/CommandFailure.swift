import Foundation

/// A failure, in words for whoever typed the command.
struct CommandFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }

  /// Puts what was tried before what went wrong.
  init(_ attempt: String, _ error: any Error) {
    let cause = error as NSError
    description = "\(attempt): \(cause.localizedDescription) (\(cause.domain) \(cause.code))"
  }
}

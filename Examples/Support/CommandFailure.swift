import Foundation

/// A failure, in words for whoever typed the command.
package struct CommandFailure: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }

  /// Puts what was tried before what went wrong.
  package init(_ attempt: String, _ error: any Error) {
    let cause = error as NSError
    description = "\(attempt): \(cause.localizedDescription) (\(cause.domain) \(cause.code))"
  }
}

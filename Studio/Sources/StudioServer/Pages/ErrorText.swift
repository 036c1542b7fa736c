import CommandSupport
import Foundation

/// Turns errors into texts.
enum ErrorText {
  static func text(of error: any Error) -> String {
    if let error = error as? ToolError { return error.description }
    let error = error as NSError
    let reason = error.localizedFailureReason.map { error.localizedDescription.contains($0) ? "" : " \($0)" } ?? ""
    return error.localizedDescription + reason
  }
}

import CommandSupport
import Foundation
@_spi(Store) import OpenCoreData

/// The failures of migrations in words.
package enum MigrateError {
  /// A step that failed.
  /// - Parameters:
  ///   - copy: The store that was worked on: its place does not mean anything to anybody.
  ///   - state: What the store is now.
  package static func failed(
    _ subject: MigrateSubject, _ step: MigrateWay.Step, _ error: any Error, copy: URL, _ state: String
  ) -> ToolError {
    let cause = error as NSError
    var text = (error as? ToolError)?.description ?? StoreErrors.text(of: error)
    // Of several the first is in the text.
    let more = (cause.userInfo[NSDetailedErrorsKey] as? [NSError] ?? []).dropFirst()
    text += more.map { "\n  \($0.localizedDescription)" }.joined()
    if copy != subject.url, copy.isFileURL { text = text.replacingOccurrences(of: copy.path, with: subject.url.path) }
    let code = error is ToolError ? "" : " (\(cause.domain) \(cause.code))"
    return ToolError(
      "The store \(subject.url.shown) cannot be migrated from “\(step.source)” to “\(step.destination)”: "
        + "\(text)\(code)\n\(state)")
  }
}

import CommandSupport
import Foundation
@_spi(Store) import OpenCoreData

/// The error messages of migrations.
package enum MigrateError {
  /// Returns the error of a step that failed.
  /// - Parameters:
  ///   - copy: The copy of the store that was migrated. Its path is replaced in the text, because it means nothing to the user.
  ///   - state: A description of the store's present state.
  package static func failed(
    _ subject: MigrateSubject, _ step: MigrateWay.Step, _ error: any Error, copy: URL, _ state: String
  ) -> ToolError {
    let cause = error as NSError
    var text = (error as? ToolError)?.description ?? StoreErrors.text(of: error)
    // If there are several errors, the text has the first one already.
    let more = (cause.userInfo[NSDetailedErrorsKey] as? [NSError] ?? []).dropFirst()
    text += more.map { "\n  \($0.localizedDescription)" }.joined()
    if copy != subject.url, copy.isFileURL { text = text.replacingOccurrences(of: copy.path, with: subject.url.path) }
    let code = error is ToolError ? "" : " (\(cause.domain) \(cause.code))"
    return ToolError(
      "The store \(subject.url.shown) cannot be migrated from “\(step.source)” to “\(step.destination)”: "
        + "\(text)\(code)\n\(state)")
  }
}

import Foundation

extension NSError {
  /// Returns the single errors of a validation: those under `NSDetailedErrorsKey` of a compound error (1560), at any
  /// depth, or the error itself.
  package static func single(_ error: any Error) -> [any Error] {
    let compound = error as NSError
    guard compound.domain == NSCocoaErrorDomain, compound.code == NSValidationMultipleErrorsError,
      let details = compound.userInfo[NSDetailedErrorsKey] as? [Any]
    else { return [error] }
    let errors = details.compactMap { $0 as? any Error }
    return errors.isEmpty ? [error] : errors.flatMap { single($0) }
  }

  /// Throws a single error as it is, several errors as one of code 1560, and nothing if there are none.
  package static func throwAll(_ errors: [any Error]) throws {
    guard let first = errors.first else { return }
    if errors.count == 1 { throw first }
    throw NSError(
      coreData: NSValidationMultipleErrorsError, "Multiple validation errors occurred.",
      [
        NSDetailedErrorsKey: errors.map { $0 as NSError },
        NSLocalizedFailureReasonErrorKey: errors.map(\.localizedDescription).joined(separator: " "),
      ])
  }
}

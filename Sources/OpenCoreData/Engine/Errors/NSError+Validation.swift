import Foundation

extension NSError {
  /// The single errors of a validation: those that a compound one (1560) has under `NSDetailedErrorsKey`, at any depth.
  package static func single(_ error: any Error) -> [any Error] {
    let compound = error as NSError
    guard compound.domain == NSCocoaErrorDomain, compound.code == NSValidationMultipleErrorsError,
      let details = compound.userInfo[NSDetailedErrorsKey] as? [Any]
    else { return [error] }
    let errors = details.compactMap { $0 as? any Error }
    return errors.isEmpty ? [error] : errors.flatMap { single($0) }
  }

  /// Throws the one error, several as one of code 1560, or nothing.
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

import CoreData
import Foundation
import WebProtocol

// Errors of the framework as answers.
extension ServedStore {
  /// What a save that the framework refuses is answered with.
  func refusal(_ error: NSError) -> ServiceError {
    var failure = Failure(error.localizedDescription, code: error.domain == NSCocoaErrorDomain ? error.code : nil)
    let parts = error.userInfo[NSDetailedErrorsKey] as? [NSError] ?? [error]
    failure.invalid = parts.compactMap { part in
      guard
        (NSManagedObjectValidationError..<NSPersistentStoreInvalidTypeError).contains(part.code)
          || (1550..<1700).contains(part.code)
      else { return nil }
      let object = part.userInfo[NSValidationObjectErrorKey] as? NSManagedObject
      return Failure.Invalid(
        id: object.map { Self.name($0.objectID) }, key: part.userInfo[NSValidationKeyErrorKey] as? String,
        code: part.code,
        message: part.localizedDescription)
    }
    switch error.code {
    case NSManagedObjectMergeError, NSManagedObjectConstraintMergeError: return ServiceError(409, failure)
    default: return ServiceError(failure.invalid?.isEmpty == false ? 422 : 500, failure)
    }
  }
}

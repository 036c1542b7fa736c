import CoreData
import Foundation
import HTTPTypes

/// Why a save did not happen, in words. Nothing was written then, and the changes are still there.
struct SaveFailure: Error, Sendable {
  let status: HTTPResponse.Status
  let what: String
  let lines: [String]

  init(_ error: any Error, _ session: EditSession) {
    let error = error as NSError
    let details = error.userInfo[NSDetailedErrorsKey] as? [NSError] ?? [error]
    if details.allSatisfy({ (1_550...1_680).contains($0.code) }) {
      status = .unprocessableContent
      what = "The model's rules do not allow this"
      lines = details.map { one in
        guard let object = one.userInfo[NSValidationObjectErrorKey] as? NSManagedObject else {
          return one.localizedDescription
        }
        let texts = ValidationProblems.texts(one, object.entity).values.joined(separator: " ")
        return "\(session.reference(object)): \(texts)"
      }
    } else if error.code == NSPersistentStoreTimeoutError {
      status = .serviceUnavailable
      what = "Another program has the store locked"
      lines = [ErrorText.text(of: error), "Save again when it is done."]
    } else {
      status = .serviceUnavailable
      what = "The store could not be written"
      lines = [ErrorText.text(of: error)]
    }
  }
}

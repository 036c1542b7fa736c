import CoreData
import Foundation
import WebProtocol

/// The domain of errors that say what became of a request.
public let WebStoreErrorDomain = "WebStoreErrorDomain"

/// The codes of errors in ``WebStoreErrorDomain``. What Core Data has codes for (conflicts, validation, predicates) comes in its own
/// domain.
public enum WebStoreErrorCode: Int, Sendable {
  /// The service cannot be reached, and the answer is not known from before. Nothing was written. `NSUnderlyingErrorKey` has why.
  case away = 1
  /// The service did not answer a save that it may have carried out. Saving again finds out, and writes nothing twice.
  case inDoubt = 2
  /// The service refused the request: its own words are the description.
  case refused = 3
  /// What answered is no such service, or another version of it.
  case notAService = 4
  /// An option has a wrong value.
  case wrongOption = 5
  /// The store cannot answer such a request.
  case unsupported = 6
}

extension NSError {
  convenience init(web code: WebStoreErrorCode, _ text: String, underlying: (any Error)? = nil) {
    var userInfo: [String: Any] = [NSLocalizedDescriptionKey: text]
    if let underlying { userInfo[NSUnderlyingErrorKey] = underlying as NSError }
    self.init(domain: WebStoreErrorDomain, code: code.rawValue, userInfo: userInfo)
  }

  func isWeb(_ code: WebStoreErrorCode) -> Bool { domain == WebStoreErrorDomain && self.code == code.rawValue }

  /// The error for an answer that is no success, where the caller knows nothing better.
  convenience init(_ failure: Failure, status: Int) {
    guard let code = failure.code else {
      self.init(web: .refused, "The service refused the request (\(status)): \(failure.message)")
      return
    }
    self.init(domain: NSCocoaErrorDomain, code: code, userInfo: [NSLocalizedDescriptionKey: failure.message])
  }
}

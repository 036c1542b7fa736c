import Foundation

extension NSError {
  /// Makes an error in Apple's domain with a text for people.
  package convenience init(coreData code: Int, _ description: String, _ userInfo: [String: Any] = [:]) {
    var userInfo = userInfo
    userInfo[NSLocalizedDescriptionKey] = description
    // Foundation on Linux prints this text of an error; without it the text begins with "(null)".
    if userInfo[NSLocalizedFailureReasonErrorKey] == nil { userInfo[NSLocalizedFailureReasonErrorKey] = description }
    self.init(domain: NSCocoaErrorDomain, code: code, userInfo: userInfo)
  }
}

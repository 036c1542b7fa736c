import Foundation

extension POSIXError {
  /// What the last call of the system failed with.
  static var last: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }

  /// The system's words for it.
  var reason: String { String(cString: strerror(code.rawValue)) }
}

import Foundation

extension POSIXError {
  /// The error of the last system call that failed.
  static var last: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }

  /// The system's text for the error.
  var reason: String { String(cString: strerror(code.rawValue)) }
}

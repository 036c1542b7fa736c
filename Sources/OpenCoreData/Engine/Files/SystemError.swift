import Foundation

/// Makes errors with Apple's codes from errors of the system.
enum SystemError {
  /// - Parameter what: what cannot be read, as the beginning of a sentence.
  /// - Returns: 257 without permission, 260 for a missing file, else 256.
  static func reading(_ what: String, _ path: String, _ error: POSIXError) -> NSError {
    let code: CocoaError.Code =
      switch error.code {
      case .EACCES, .EPERM: .fileReadNoPermission
      case .ENOENT: .fileReadNoSuchFile
      default: .fileReadUnknown
      }
    return make(code, "\(what) at \(path) cannot be read", path, error)
  }

  /// - Parameter what: what cannot be written, as the beginning of a sentence.
  /// - Returns: 513 without permission, 516 if the file exists, 640 without room, 642 on a read-only volume, else 512.
  static func writing(
    _ what: String, _ path: String, _ error: POSIXError, cannotBe verb: String = "written"
  ) -> NSError {
    let code: CocoaError.Code =
      switch error.code {
      case .ENOSPC, .EDQUOT: .fileWriteOutOfSpace
      case .EACCES, .EPERM: .fileWriteNoPermission
      case .EROFS: .fileWriteVolumeReadOnly
      case .EEXIST: .fileWriteFileExists
      default: .fileWriteUnknown
      }
    return make(code, "\(what) at \(path) cannot be \(verb)", path, error)
  }

  private static func make(_ code: CocoaError.Code, _ text: String, _ path: String, _ error: POSIXError) -> NSError {
    // A file that is neither missing nor forbidden, and still cannot be opened this way, is of another kind, such as a link
    // or a pipe that another program has put there.
    let reason =
      switch error.code {
      case .EINVAL: "it is no regular file"
      case .ELOOP: "it is a link"
      case .ENOTDIR: "a folder on the way is none, or a link"
      default: error.reason
      }
    return NSError(
      coreData: code.rawValue, "\(text): \(reason).",
      [
        NSFilePathErrorKey: path, NSLocalizedFailureReasonErrorKey: reason,
        NSUnderlyingErrorKey: NSError(domain: NSPOSIXErrorDomain, code: Int(error.code.rawValue)),
      ])
  }
}

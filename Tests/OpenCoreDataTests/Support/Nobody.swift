import Foundation

/// Work without the superuser's right to write everything, so that tests of permissions are true in a container, too.
enum Nobody {
  /// Whether a file's mode keeps this process from writing it: another user than the superuser, or one who can be nobody.
  static let isPossible = getuid() != 0 || setFileSystemUser != nil

  private static let setFileSystemUser: (@convention(c) (UInt32) -> Int32)? = dlsym(nil, "setfsuid").map {
    unsafeBitCast($0, to: (@convention(c) (UInt32) -> Int32).self)
  }

  /// Runs `body` without that right; the calling thread alone is affected.
  static func run<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard getuid() == 0, let set = setFileSystemUser else { return try body() }
    _ = set(65534)
    defer { _ = set(0) }
    return try body()
  }
}

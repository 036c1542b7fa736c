import Foundation

/// A kind of system call that can be made to fail, in the order of FailingCalls.c.
enum CallKind: Int, CaseIterable {
  case open, read, write, fsync, rename, unlink, mmap, ftruncate, mkdir, link, lock

  /// The ways in which such a call fails: on a broken disk, on a full disk, and at a signal.
  var modes: [FaultMode] {
    let broken: [FaultMode] = [.init("EIO", EIO), .init("EIO-ever", EIO, ever: true)]
    let full: [FaultMode] = [.init("ENOSPC", ENOSPC), .init("ENOSPC-ever", ENOSPC, ever: true)]
    // These calls do not fail for ever, because a program may repeat an interrupted call.
    let interrupted: [FaultMode] = [.init("EINTR", EINTR), .init("EINTR-5", EINTR, count: 5)]
    let halves: [FaultMode] = [.init("short", 0, halves: true), .init("short-ever", 0, ever: true, halves: true)]
    return switch self {
    case .open: broken + full + interrupted
    case .read: broken + interrupted + halves
    case .write: broken + full + interrupted + halves
    case .fsync: broken + full
    case .rename, .mkdir: broken + full
    case .unlink, .lock: broken
    case .mmap: [.init("ENOMEM", ENOMEM), .init("ENOMEM-ever", ENOMEM, ever: true)] + broken
    case .ftruncate: broken + full
    // EPERM is the error of file systems without links.
    case .link: broken + full + [.init("EPERM-ever", EPERM, ever: true)]
    }
  }

  /// The ways in which a process ends at such a call. Only calls that change something on the disk have one.
  var killingModes: [FaultMode] {
    switch self {
    case .open, .write, .rename, .unlink, .ftruncate, .mkdir, .link: [.killing]
    case .read, .fsync, .mmap, .lock: []
    }
  }

  init?(name: String) {
    guard let kind = Self.allCases.first(where: { "\($0)" == name }) else { return nil }
    self = kind
  }
}

/// The way in which a call fails.
struct FaultMode {
  let name: String
  let error: Int32
  let count: Int
  let halves: Bool

  /// The process is killed in place of the call.
  static let killing = FaultMode("KILL", -1)

  var kills: Bool { error < 0 }

  init(_ name: String, _ error: Int32, ever: Bool = false, count: Int = 1, halves: Bool = false) {
    self.name = name
    self.error = error
    self.count = ever ? .max : count
    self.halves = halves
  }
}

/// The calls that fail, and the way in which they fail.
struct Fault {
  let kind: CallKind
  let number: Int
  let mode: FaultMode

  /// The text for the environment variable `FAILING_CALLS`, without the folder.
  var orders: String { "\(kind.rawValue) \(number) \(mode.count) \(mode.error) \(mode.halves ? 1 : 0)" }
}

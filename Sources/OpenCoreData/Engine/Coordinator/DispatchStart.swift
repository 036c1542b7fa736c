import Dispatch
import Foundation
import Synchronization

/// Has Dispatch open what it needs before anything depends on it.
///
/// Its first timer opens three file descriptors, the first block of the main queue one more; where there are none left
/// Dispatch stops the program. What can throw asks for them first, once for a process.
enum DispatchStart {
  private static let isDone = Atomic<Bool>(false)
  private static let lock = NSLock()

  /// How many descriptors must be free. Opening a store takes as many anyway.
  private static let needed = 6

  /// Whether Dispatch has what it needs.
  static var isReady: Bool { isDone.load(ordering: .acquiring) }

  /// - Throws: 256 over POSIX's EMFILE or ENFILE where the process, or the system, has too few file descriptors left.
  static func prepare() throws {
    if isReady { return }
    try lock.withLock {
      if isReady { return }
      try checkDescriptors()
      let isRunning = DispatchSemaphore(value: 0)
      // A timer: without a delay it would be a block like any other.
      DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + .milliseconds(1)) { isRunning.signal() }
      DispatchQueue.main.async {}
      _ = isRunning.wait(timeout: .now() + .seconds(1))
      isDone.store(true, ordering: .releasing)
    }
  }

  private static func checkDescriptors() throws {
    var found: [Int32] = []
    defer { for descriptor in found { close(descriptor) } }
    while found.count < needed {
      let descriptor = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
      if descriptor >= 0 {
        found.append(descriptor)
        continue
      }
      // A program may have closed its standard input.
      let other = open("/", O_RDONLY | O_CLOEXEC)
      guard other < 0 else {
        found.append(other)
        continue
      }
      let code = errno
      throw NSError(
        coreData: CocoaError.Code.fileReadUnknown.rawValue,
        "The store cannot be opened: \(needed) file descriptors are needed, and \(found.count) are left "
          + "(\(String(cString: strerror(code)))).",
        [NSUnderlyingErrorKey: NSError(domain: NSPOSIXErrorDomain, code: Int(code))])
    }
  }
}

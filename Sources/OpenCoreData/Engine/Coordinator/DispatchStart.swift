import Dispatch
import Foundation
import Synchronization

/// Makes Dispatch open the file descriptors that it needs before other code depends on them.
///
/// Dispatch's first timer opens three file descriptors, the first block of the main queue one more; if none are left,
/// Dispatch stops the program. Operations that can throw ask for the descriptors first, once in a process.
enum DispatchStart {
  private static let isDone = Atomic<Bool>(false)
  private static let lock = NSLock()

  /// The number of descriptors that must be free. Opening a store takes as many anyway.
  private static let needed = 6

  /// Whether Dispatch has opened the descriptors that it needs.
  static var isReady: Bool { isDone.load(ordering: .acquiring) }

  /// - Throws: 256 over POSIX's EMFILE or ENFILE where the process, or the system, has too few file descriptors left.
  static func prepare() throws {
    if isReady { return }
    try lock.withLock {
      if isReady { return }
      try checkDescriptors()
      let isRunning = DispatchSemaphore(value: 0)
      // This has to be a timer: without a delay it would be an ordinary block.
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
      // The program may have closed its standard input, so another file is opened.
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

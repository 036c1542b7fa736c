import Foundation

/// A process that does something to a store until it is killed.
enum KilledProcess {
  /// Does it to a copy of the store first, to see how long it takes here and now, then to the store.
  /// - Parameters:
  ///   - url: a store in a folder of its own.
  ///   - share: of that time, after which the process is killed.
  static func run(on url: URL, share: Double, _ work: (URL) throws -> Void) throws {
    let folder = url.deletingLastPathComponent()
    let twin = folder.deletingLastPathComponent().appendingPathComponent("ocd-twin-\(UUID().uuidString)")
    try FileManager.default.copyItem(at: folder, to: twin)
    let clock = ContinuousClock()
    let time = try clock.measure { try work(twin.appendingPathComponent(url.lastPathComponent)) }
    try FileManager.default.removeItem(at: twin)
    let microseconds = UInt32(max(0, share * (time / .microseconds(1))))
    Thread.detachNewThread {
      usleep(microseconds)
      kill(getpid(), SIGKILL)
    }
    try work(url)
    while true { sleep(1) }
  }
}

import Dispatch
import Foundation

/// Reports changes of files in folders by the system's inotify.
///
/// There is one instance for the process: the system allows a user only few of these, but many folders in each.
package final class FileEvents: @unchecked Sendable {  // everything belongs to `lock`
  /// Files that are watched until `stop` is called with this object.
  package final class Watch: Sendable {
    fileprivate let names: Set<String>
    fileprivate let handler: @Sendable () -> Void

    fileprivate init(_ names: Set<String>, _ handler: @escaping @Sendable () -> Void) {
      self.names = names
      self.handler = handler
    }
  }

  /// Nil where the system has no inotify, or allows no further instance.
  package static let shared = FileEvents()

  private let lock = NSLock()
  private let descriptor: Int32
  private let source: any DispatchSourceRead
  private var watches: [Int32: [Watch]] = [:]

  private static let events = UInt32(IN_MODIFY | IN_CREATE | IN_DELETE | IN_MOVED_TO | IN_CLOSE_WRITE)

  private init?() {
    descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    guard descriptor >= 0 else { return nil }
    source = DispatchSource.makeReadSource(
      fileDescriptor: descriptor, queue: DispatchQueue(label: "OpenCoreData.FileEvents"))
    source.setEventHandler { [weak self] in self?.readEvents() }
    source.resume()
  }

  /// Calls `handler` after changes of files with those names; gives nil when the folder cannot be watched.
  package func watch(folder: String, _ names: Set<String>, handler: @escaping @Sendable () -> Void) -> Watch? {
    lock.lock()
    defer { lock.unlock() }
    let number = inotify_add_watch(descriptor, folder, Self.events)
    guard number >= 0 else { return nil }
    let watch = Watch(names, handler)
    watches[number, default: []].append(watch)
    return watch
  }

  /// Stops watching.
  package func stop(_ watch: Watch) {
    lock.lock()
    defer { lock.unlock() }
    for (number, entries) in watches {
      let left = entries.filter { $0 !== watch }
      watches[number] = left.isEmpty ? nil : left
      if left.isEmpty { inotify_rm_watch(descriptor, number) }
    }
  }

  private func readEvents() {
    var called: [ObjectIdentifier: Watch] = [:]
    withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 8) { buffer in
      while true {
        let count = read(descriptor, buffer.baseAddress, buffer.count)
        guard count > 0 else { break }
        var offset = 0
        let header = MemoryLayout<inotify_event>.size
        while offset + header <= count {
          let event = buffer.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
          let bytes = buffer[offset + header..<min(count, offset + header + Int(event.len))].prefix { $0 != 0 }
          for watch in watches(for: event, name: String(decoding: bytes, as: UTF8.self)) {
            called[ObjectIdentifier(watch)] = watch
          }
          offset += header + Int(event.len)
        }
      }
    }
    for watch in called.values { watch.handler() }
  }

  /// The watches that an event concerns; all watches when the system has lost events.
  private func watches(for event: inotify_event, name: String) -> [Watch] {
    lock.lock()
    defer { lock.unlock() }
    if event.wd < 0 { return Array(watches.values.joined()) }
    return (watches[event.wd] ?? []).filter { $0.names.contains(name) }
  }
}

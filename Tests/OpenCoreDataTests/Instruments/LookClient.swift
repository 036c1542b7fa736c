#if os(Linux)
  import CoreData
  import Foundation
  import Testing

  @testable import OpenCoreData

  /// A listener in a folder of its own, and connections to it, byte by byte.
  final class LookServer {
    let folder: String
    let listener: Listener

    /// - Parameters:
    ///   - coordinators: those that the listener tells of, with their contexts. It does not touch others, which belong to other
    ///     tests.
    ///   - patience: the time within which a context must answer. It always does, but for a test that waits for the end of it.
    init(_ coordinators: [NSPersistentStoreCoordinator], patience: Double = 120) throws {
      let scope = LookScope(coordinators: Set(coordinators.map { LiveObjects.address(of: $0) }), patience: patience)
      folder = FileManager.default.temporaryDirectory.appending(path: "look-\(UUID().uuidString.prefix(8))").path
      listener = try Listener(folder: folder, scope: scope)
      listener.start()
    }

    func client() throws -> LookClient { try LookClient(listener.path) }

    func end() {
      listener.removeSocket()
      listener.stop()
      try? FileManager.default.removeItem(atPath: folder)
    }
  }

  final class LookClient {
    let descriptor: Int32
    private var rest: [UInt8] = []

    init(_ path: String) throws {
      descriptor = try LocalSocket.connected(to: path, patience: 120)
      var patience = timeval(tv_sec: 120, tv_usec: 0)
      setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    func send(_ text: String) {
      var bytes = Array(text.utf8)[...]
      while !bytes.isEmpty {
        let count = bytes.withUnsafeBytes { Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        guard count > 0 else { return }
        bytes = bytes.dropFirst(count)
      }
    }

    /// The next line; nil at the end of the connection.
    func line() -> String? {
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        if let end = rest.firstIndex(of: 10) {
          defer { rest.removeSubrange(...end) }
          return String(decoding: rest[..<end], as: UTF8.self)
        }
        let count = recv(descriptor, &buffer, buffer.count, 0)
        if count <= 0 { return nil }
        rest += buffer[..<count]
      }
    }

    func ask(_ request: [String: Any]) throws -> [String: Any] {
      send(String(decoding: try JSONSerialization.data(withJSONObject: request), as: UTF8.self) + "\n")
      let answer = try #require(line())
      return try #require(try JSONSerialization.jsonObject(with: Data(answer.utf8)) as? [String: Any])
    }
  }
#endif

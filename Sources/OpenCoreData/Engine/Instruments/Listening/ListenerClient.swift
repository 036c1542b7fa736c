#if os(Linux)
  import Dispatch
  import Foundation

  /// One client of a listener: what it has sent and what it has not read yet, both bounded. For the listener's thread alone.
  final class ListenerClient {
    /// The greatest length of a request.
    static let lineLimit = 64 << 10
    /// The greatest length of answers that wait to be read.
    static let outputLimit = 16 << 20
    /// The time in seconds within which a client must send its first request, or read something of its answer.
    static let patience = 10.0

    let descriptor: Int32
    private var input = Data()
    private var output = Data()
    private(set) var isGone = false
    /// Whether the client is dropped when it has read its answer.
    private var isLast = false
    private var hasAsked = false
    private var moved = DispatchTime.now()

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// The events to wait for. A client that has not read its answer is not listened to.
    var events: Int16 { Int16(output.isEmpty ? POLLIN : POLLOUT) }

    /// Whether the client has to be dropped.
    var isLate: Bool {
      guard !output.isEmpty || !hasAsked else { return false }
      return DispatchTime.now().uptimeNanoseconds - moved.uptimeNanoseconds > UInt64(Self.patience * 1e9)
    }

    /// Reads what is there and returns the next whole line, if there is one.
    func read() -> Data? {
      if let line = takeLine() { return line }
      var buffer = [UInt8](repeating: 0, count: 16 << 10)
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count > 0 { input.append(contentsOf: buffer[..<count]) }
      if count == 0 || count < 0 && errno != EAGAIN && errno != EINTR { isGone = true }
      return takeLine()
    }

    /// Whether a whole line has been read already.
    var hasLine: Bool { output.isEmpty && !isGone && !isLast && input.contains(UInt8(ascii: "\n")) }

    /// Whether the client has sent a line that is too long.
    var isTooLong: Bool { input.count > Self.lineLimit && !input.prefix(Self.lineLimit).contains(UInt8(ascii: "\n")) }

    private func takeLine() -> Data? {
      guard let end = input.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
      let line = Data(input[..<end])
      input = Data(input[(end + 1)...])
      hasAsked = true
      return line
    }

    /// - Parameter isLast: whether the client is dropped after it.
    func send(_ answer: Data, isLast: Bool = false) {
      if output.isEmpty { moved = .now() }
      output += answer + [UInt8(ascii: "\n")]
      if isLast { self.isLast = true }
      if output.count > Self.outputLimit { isGone = true }
      write()
    }

    /// Sends as much as the client takes.
    func write() {
      while !output.isEmpty, !isGone {
        let count = output.withUnsafeBytes {
          Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        if count > 0 {
          output = Data(output.dropFirst(count))
          moved = .now()
        } else if errno != EINTR {
          if errno != EAGAIN { isGone = true }
          return
        }
      }
      if isLast { isGone = true }
    }
  }
#endif

#if PostgreSQL
  import Foundation
  import Synchronization

  /// A program at a port of this machine that has no encryption, asks each client for its password in clear text, and keeps what
  /// it is sent. It stands for a server on another machine that a client was led to.
  final class FalseServer: Sendable {
    let port: UInt16
    private let asksForEver: Bool
    private let received = Mutex<[UInt8]>([])

    /// All bytes that clients have sent so far.
    var words: String { received.withLock { String(decoding: $0, as: UTF8.self) } }

    /// - Parameter asksForEver: whether it asks again each time when it was sent a password.
    init(address: String, asksForEver: Bool = false) throws {
      self.asksForEver = asksForEver
      let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      var place = sockaddr_in()
      place.sin_family = sa_family_t(AF_INET)
      place.sin_addr.s_addr = inet_addr(address)
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let isListening = withUnsafeMutablePointer(to: &place) { place in
        place.withMemoryRebound(to: sockaddr.self, capacity: 1) { place in
          bind(listener, place, length) == 0 && listen(listener, 16) == 0 && getsockname(listener, place, &length) == 0
        }
      }
      guard isListening else { throw POSIXError(.EADDRNOTAVAIL) }
      port = UInt16(bigEndian: place.sin_port)
      Thread.detachNewThread { [weak self] in
        while true {
          let client = accept(listener, nil, nil)
          guard client >= 0, let self else { break }
          self.serve(client)
        }
        close(listener)
      }
    }

    /// Answers a client until it goes.
    private func serve(_ client: Int32) {
      var bytes = [UInt8](repeating: 0, count: 4096)
      while true {
        let count = read(client, &bytes, bytes.count)
        guard count > 0 else { break }
        received.withLock { $0 += bytes[..<count] }
        // A message that begins with this letter has the password.
        if bytes[0] == UInt8(ascii: "p"), !asksForEver { break }
        // The requests for encryption have a length of 8 and a number from 80877103 on.
        let isOfEncryption = count == 8 && bytes[4] == 4 && bytes[5] == 210
        let answer: [UInt8] = isOfEncryption ? [UInt8(ascii: "N")] : [UInt8(ascii: "R"), 0, 0, 0, 8, 0, 0, 0, 3]
        if write(client, answer, answer.count) < 0 { break }
      }
      close(client)
    }
  }
#endif

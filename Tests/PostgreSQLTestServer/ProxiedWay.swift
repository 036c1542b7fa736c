import Foundation

/// One direction of a connection through a proxy: the bytes that one side has sent.
struct ProxiedWay {
  private struct Lot {
    var bytes: [UInt8]
    var sent = 0
    let due: ContinuousClock.Instant
    /// Whether the side has ended after this lot.
    var isLast = false
  }

  private let side: MessageScanner.Side
  var scanner: MessageScanner
  /// Bytes that wait for the end of their message or of their lot.
  private var held: [UInt8] = []
  private var lots: [Lot] = []
  /// Whether this side has ended.
  var hasEnded = false

  init(_ side: MessageScanner.Side) {
    self.side = side
    scanner = MessageScanner(side)
  }

  /// The number of bytes that wait to be written, without those that are held.
  var waitingCount: Int { lots.reduce(0) { $0 + max(1, $1.bytes.count - $1.sent) } }

  var nextDue: ContinuousClock.Instant? { lots.first?.due }

  func isDue(_ now: ContinuousClock.Instant) -> Bool { lots.first.map { $0.due <= now } ?? false }

  mutating func hold(_ bytes: ArraySlice<UInt8>) { held += bytes }

  mutating func release(at due: ContinuousClock.Instant) {
    guard !held.isEmpty else { return }
    // Bytes that are due at nearly the same time as the last lot are added to that lot.
    if let last = lots.indices.last, !lots[last].isLast, due - lots[last].due < .microseconds(50) {
      lots[last].bytes += held
    } else {
      lots.append(Lot(bytes: held, due: due))
    }
    held.removeAll()
  }

  /// Releases the held bytes, and ends the direction after all bytes that wait now.
  mutating func finish(at due: ContinuousClock.Instant) {
    release(at: due)
    lots.append(Lot(bytes: [], due: due, isLast: true))
  }

  /// Drops all bytes that wait, and ends the direction.
  mutating func drop() {
    held = []
    // The rest of the first lot is dropped, too: it may be a part of a message, which is of no use.
    lots = [Lot(bytes: [], due: .now, isLast: true)]
  }

  /// Whether the side waits for the other one after a message of this kind.
  func endsLot(_ kind: MessageScanner.Kind) -> Bool {
    switch side {
    case .client: !["P", "B", "D", "E", "C", "d"].contains(kind)
    // Ready for a query; an authentication request; ready for the rows of a COPY; ready for COPY in both directions; a
    // notification; the answer to a request for encryption.
    case .server: ["Z", "R", "G", "W", "A", "answer"].contains(kind)
    }
  }

  /// Writes the bytes that are due.
  /// - Returns: false if the other side has closed the connection.
  mutating func write(to socket: ProxySocket, splits: Bool) -> Bool {
    while isDue(.now) {
      if lots[0].isLast {
        socket.endWriting()
      } else {
        let count = socket.write(lots[0].bytes, from: lots[0].sent, atMost: splits ? 1 : .max)
        if count < 0 { return false }
        if count == 0 { return true }
        lots[0].sent += count
        guard lots[0].sent == lots[0].bytes.count else { continue }
      }
      lots.removeFirst()
    }
    return true
  }
}

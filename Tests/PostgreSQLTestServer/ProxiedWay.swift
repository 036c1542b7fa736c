import Foundation

/// What goes one way through a proxy.
struct ProxiedWay {
  private struct Lot {
    var bytes: [UInt8]
    var sent = 0
    let due: ContinuousClock.Instant
    /// Whether the side has ended behind it.
    var isLast = false
  }

  private let side: MessageScanner.Side
  var scanner: MessageScanner
  /// Bytes that wait for the end of their message, or of their lot.
  private var held: [UInt8] = []
  private var lots: [Lot] = []
  /// Whether this side has ended.
  var hasEnded = false

  init(_ side: MessageScanner.Side) {
    self.side = side
    scanner = MessageScanner(side)
  }

  /// How many bytes wait, but for those that are held.
  var waitingCount: Int { lots.reduce(0) { $0 + max(1, $1.bytes.count - $1.sent) } }

  var nextDue: ContinuousClock.Instant? { lots.first?.due }

  func isDue(_ now: ContinuousClock.Instant) -> Bool { lots.first.map { $0.due <= now } ?? false }

  mutating func hold(_ bytes: ArraySlice<UInt8>) { held += bytes }

  mutating func release(at due: ContinuousClock.Instant) {
    guard !held.isEmpty else { return }
    // What comes while the last lot waits for the same moment goes with it.
    if let last = lots.indices.last, !lots[last].isLast, due - lots[last].due < .microseconds(50) {
      lots[last].bytes += held
    } else {
      lots.append(Lot(bytes: held, due: due))
    }
    held.removeAll()
  }

  /// After what waits now the other side is told that this one has ended.
  mutating func finish(at due: ContinuousClock.Instant) {
    release(at: due)
    lots.append(Lot(bytes: [], due: due, isLast: true))
  }

  /// Nothing that waits is passed on any more, but that the side has ended.
  mutating func drop() {
    held = []
    // Half of a message is worth nothing, and what is left of the first lot may be that.
    lots = [Lot(bytes: [], due: .now, isLast: true)]
  }

  /// Whether the side waits for the other one after a message of this kind.
  func endsLot(_ kind: MessageScanner.Kind) -> Bool {
    switch side {
    case .client: !["P", "B", "D", "E", "C", "d"].contains(kind)
    // Ready; a question, as for a password; rows wanted; a notification; the answer to a request for encryption.
    case .server: ["Z", "R", "G", "W", "A", "answer"].contains(kind)
    }
  }

  /// Writes what is due.
  /// - Returns: false if the other side is gone.
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

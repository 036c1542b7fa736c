import Foundation

/// One connection through a proxy; used by its thread alone.
final class ProxiedConnection: @unchecked Sendable {  // see above
  /// So much is kept for one side before no more is read from the other, as by a network.
  private static let limit = 1 << 20

  private var ways: [ProxiedWay]
  private var roundTrips = RoundTripScanner()
  private let sockets: [ProxySocket]
  private let era: Int
  /// Set when it was cut: until then the two sides may take what is still there.
  private var end: ContinuousClock.Instant?
  private var buffer = [UInt8](repeating: 0, count: 1 << 16)

  init(client: ProxySocket, server: ProxySocket, era: Int) {
    sockets = [client, server]
    ways = [ProxiedWay(.client), ProxiedWay(.server)]
    self.era = era
  }

  /// Waits a moment and passes on what there is.
  /// - Returns: false when the connection is over.
  func step(for proxy: MessageProxy) -> Bool {
    if end == nil, proxy.currentEra != era { return false }
    if let end, .now >= end { return false }
    let behaviour = proxy.behaviour, now = ContinuousClock.now
    var entries = (0..<2).map { index in
      // What one way reads from, the other writes to.
      var events: Int32 = 0
      if !ways[index].hasEnded, end != nil || ways[index].waitingCount < Self.limit { events |= POLLIN }
      if ways[1 - index].isDue(now) { events |= POLLOUT }
      return pollfd(fd: events == 0 ? -1 : sockets[index].descriptor, events: Int16(events), revents: 0)
    }
    let due = ways.compactMap(\.nextDue).filter { $0 > now }.min()
    // The clock of `poll` is too coarse for delays below a millisecond.
    if let due, due - now < .milliseconds(2) {
      usleep(UInt32(max(0, (due - now) / .microseconds(1))))
      _ = poll(&entries, 2, 0)
    } else {
      let pause = due.map { Int32(($0 - now) / .milliseconds(1)) - 1 } ?? 20
      _ = poll(&entries, 2, min(20, pause))
    }
    for index in 0..<2 where entries[index].revents & Int16(POLLIN | POLLHUP | POLLERR) != 0 {
      guard read(index, behaviour, proxy) else { return false }
    }
    for index in 0..<2 {
      guard ways[index].write(to: sockets[1 - index], splits: behaviour.splits) else { return false }
    }
    return !isOver
  }

  /// Whether both sides have ended and got everything.
  private var isOver: Bool { ways.allSatisfy { $0.hasEnded && $0.waitingCount == 0 } }

  /// - Returns: false when the connection is over.
  private func read(_ index: Int, _ behaviour: MessageProxy.Behaviour, _ proxy: MessageProxy) -> Bool {
    let count = sockets[index].read(into: &buffer)
    if count < 0 { return true }
    if count == 0 { ways[index].hasEnded = true }
    // After a cut it is lost; it is read all the same, as closing would else take back what was passed on.
    if end != nil { return true }
    if count == 0 {
      ways[index].finish(at: .now + behaviour.delay)
      return true
    }
    var bytes = Array(buffer[..<count])
    // Flights of tests are short enough to come as a whole.
    if index == 0 { for word in behaviour.unknownWords { bytes.spoil(word) } }
    var start = 0
    while start < count {
      let (next, message) = ways[index].scanner.next(in: bytes, from: start)
      guard let message else {
        ways[index].hold(bytes[start..<next])
        break
      }
      if index == 0, message == "ssl" || message == "gss" { ways[1].scanner.expectAnswer() }
      let side = index == 0 ? MessageScanner.Side.client : .server
      if roundTrips.note(message, of: side) { proxy.noteRoundTrip() }
      switch proxy.note(message, of: side) {
      case .cutBefore:
        // Its beginning may have come before, and be on its way already.
        cut(index, at: .now + behaviour.delay)
        return true
      case .cutBehind:
        ways[index].hold(bytes[start..<next])
        cut(index, at: .now + behaviour.delay)
        return true
      case .pass:
        ways[index].hold(bytes[start..<next])
        if !behaviour.coalesces || ways[index].endsLot(message) { ways[index].release(at: .now + behaviour.delay) }
      }
      start = next
    }
    if !behaviour.coalesces { ways[index].release(at: .now + behaviour.delay) }
    return true
  }

  /// Ends both sides at once; may be called from any thread.
  func shutDown() {
    for socket in sockets { shutdown(socket.descriptor, Int32(SHUT_RDWR)) }
  }

  /// Passes what one side has sent, and nothing else any more.
  private func cut(_ index: Int, at due: ContinuousClock.Instant) {
    ways[index].finish(at: due)
    ways[1 - index].drop()
    end = due + .milliseconds(200)
  }
}

extension [UInt8] {
  /// Replaces the last letter of a word, wherever that stands.
  fileprivate mutating func spoil(_ word: String) {
    let word = Array(word.utf8)
    guard let first = word.first, count >= word.count else { return }
    for start in 0...count - word.count where self[start] == first && Array(self[start..<start + word.count]) == word {
      self[start + word.count - 1] = UInt8(ascii: "_")
    }
  }
}

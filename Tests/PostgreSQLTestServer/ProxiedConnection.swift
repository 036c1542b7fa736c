import Foundation

/// One connection through a proxy. Except for `shutDown`, only its own thread uses it.
final class ProxiedConnection: @unchecked Sendable {  // see above
  /// The number of bytes that may wait in one direction. If more wait, no more are read, as in a network.
  private static let limit = 1 << 20

  private var ways: [ProxiedWay]
  private var roundTrips = RoundTripScanner()
  private let sockets: [ProxySocket]
  private let era: Int
  /// The time at which a cut connection is closed; nil if it has not been cut. Until then the sides may read what is left.
  private var end: ContinuousClock.Instant?
  private var buffer = [UInt8](repeating: 0, count: 1 << 16)

  init(client: ProxySocket, server: ProxySocket, era: Int) {
    sockets = [client, server]
    ways = [ProxiedWay(.client), ProxiedWay(.server)]
    self.era = era
  }

  /// Waits for a short time, and passes on the bytes that are due.
  /// - Returns: false if the connection has ended.
  func step(for proxy: MessageProxy) -> Bool {
    if end == nil, proxy.currentEra != era { return false }
    if let end, .now >= end { return false }
    let behaviour = proxy.behaviour, now = ContinuousClock.now
    var entries = (0..<2).map { index in
      // The socket that one way reads from is the one that the other way writes to.
      var events: Int32 = 0
      if !ways[index].hasEnded, end != nil || ways[index].waitingCount < Self.limit { events |= POLLIN }
      if ways[1 - index].isDue(now) { events |= POLLOUT }
      return pollfd(fd: events == 0 ? -1 : sockets[index].descriptor, events: Int16(events), revents: 0)
    }
    let due = ways.compactMap(\.nextDue).filter { $0 > now }.min()
    // The timeout of `poll` is in milliseconds, which is too coarse for short delays.
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

  /// Whether both sides have ended and all bytes have been written.
  private var isOver: Bool { ways.allSatisfy { $0.hasEnded && $0.waitingCount == 0 } }

  /// Reads the bytes of one side, and divides them into messages.
  /// - Returns: false if the connection has ended.
  private func read(_ index: Int, _ behaviour: MessageProxy.Behaviour, _ proxy: MessageProxy) -> Bool {
    let count = sockets[index].read(into: &buffer)
    if count < 0 { return true }
    if count == 0 { ways[index].hasEnded = true }
    // After a cut the bytes are lost. They are read nevertheless: if a socket is closed with unread bytes, its other side may lose
    // bytes that were passed on before.
    if end != nil { return true }
    if count == 0 {
      ways[index].finish(at: .now + behaviour.delay)
      return true
    }
    var bytes = Array(buffer[..<count])
    // Messages of tests are short enough that a word is never divided between two reads.
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
        // The beginning of the message may have been read before, and may have been passed on already.
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

  /// Ends both sides at once. May be called on any thread.
  func shutDown() {
    for socket in sockets { shutdown(socket.descriptor, Int32(SHUT_RDWR)) }
  }

  /// Cuts the connection: passes on the bytes that one side has sent so far, and drops those of the other side.
  private func cut(_ index: Int, at due: ContinuousClock.Instant) {
    ways[index].finish(at: due)
    ways[1 - index].drop()
    end = due + .milliseconds(200)
  }
}

extension [UInt8] {
  /// Replaces the last letter of each occurrence of a word.
  fileprivate mutating func spoil(_ word: String) {
    let word = Array(word.utf8)
    guard let first = word.first, count >= word.count else { return }
    for start in 0...count - word.count where self[start] == first && Array(self[start..<start + word.count]) == word {
      self[start + word.count - 1] = UInt8(ascii: "_")
    }
  }
}

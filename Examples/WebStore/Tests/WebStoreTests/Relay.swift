import Foundation
import Synchronization

/// Stands between a store and a service: can be away, and put something else in the place of answers.
final class Relay: Sendable {
  private struct State {
    var target: Int
    /// Takes connections; nil while the relay is away.
    var listener: Listener?
    /// What comes in the place of the next answers to requests that begin so.
    var instead: (request: String, count: Int, bytes: String) = ("", 0, "")
    /// Sockets that are open. They are shut down and closed in the lock, so that no number means another socket meanwhile.
    var connections: Set<Int32> = []
  }

  let port: Int
  /// Has the port and takes no connections, so that nobody else gets the port while the relay is away.
  private let holder: Int32
  private let state: Mutex<State>

  /// - Parameter target: the port of the service.
  init(to target: Int) throws {
    (holder, port) = try RelaySocket.bound(to: 0)
    state = Mutex(State(target: target))
    try comeBack()
  }

  deinit {
    leave()
    close(holder)
  }

  var url: URL { URL(string: "http://127.0.0.1:\(port)/")! }

  /// From now on connections are refused, and those that there are end.
  func leave() {
    let listener = state.withLock { state in
      defer { state.listener = nil }
      return state.listener
    }
    listener?.end()
    state.withLock { state in for connection in state.connections { shutdown(connection, Int32(SHUT_RDWR)) } }
  }

  /// - Parameter target: the port of the service, if that is another one now.
  func comeBack(to target: Int? = nil) throws {
    let listener = try Listener(port) { [weak self] client in
      if let self { serve(client) } else { _ = close(client) }
    }
    state.withLock { state in
      state.target = target ?? state.target
      state.listener = listener
    }
  }

  /// The connection ends in the place of the next answers to saves.
  func loseAnswersToSaves(_ count: Int) { answer("POST /save", count, with: "") }

  /// These bytes come in the place of the next answers to requests that begin so, and then the connection ends.
  func answer(_ request: String, _ count: Int, with bytes: String) {
    state.withLock { $0.instead = (request, count, bytes) }
  }

  // MARK: Connections

  private func serve(_ client: Int32) {
    let target = state.withLock { $0.target }
    guard let server = try? RelaySocket.connected(to: target) else {
      close(client)
      return
    }
    let isHere = state.withLock { state in
      if state.listener == nil { return false }
      state.connections.formUnion([client, server])
      return true
    }
    let exchange = Exchange()
    let group = DispatchGroup()
    if isHere {
      for (from, to, isRequest) in [(client, server, true), (server, client, false)] {
        group.enter()
        Thread.detachNewThread { [weak self] in
          self?.copy(from, to, isRequest, exchange)
          shutdown(from, Int32(SHUT_RDWR))
          shutdown(to, Int32(SHUT_RDWR))
          group.leave()
        }
      }
    }
    group.notify(queue: .global()) { [weak self] in
      func end() { for socket in [client, server] { close(socket) } }
      guard let self else { return end() }
      state.withLock { state in
        state.connections.subtract([client, server])
        end()
      }
    }
  }

  /// How what was asked last over a connection begins.
  private final class Exchange: Sendable {
    let head = Mutex("")
  }

  private func copy(_ from: Int32, _ to: Int32, _ isRequest: Bool, _ exchange: Exchange) {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = recv(from, &buffer, buffer.count, 0)
      guard count > 0 else { return }
      if isRequest {
        let head = String(decoding: buffer.prefix(min(count, 16)), as: UTF8.self)
        if head.hasPrefix("POST ") || head.hasPrefix("GET ") {
          exchange.head.withLock { $0 = head }
        }
      } else {
        let head = exchange.head.withLock { $0 }
        let instead: String? = state.withLock { state in
          guard head.hasPrefix(state.instead.request), state.instead.count > 0 else { return nil }
          state.instead.count -= 1
          return state.instead.bytes
        }
        if let instead {
          _ = RelaySocket.send(instead.utf8, to: to)
          return
        }
      }
      guard RelaySocket.send(buffer[..<count], to: to) else { return }
    }
  }
}

/// Takes connections at a port on a thread of its own.
private final class Listener: Sendable {
  private let socket: Int32
  private let ended = DispatchSemaphore(value: 0)

  init(_ port: Int, _ serve: @escaping @Sendable (Int32) -> Void) throws {
    let socket = try RelaySocket.bound(to: port).socket
    self.socket = socket
    if listen(socket, 64) != 0 {
      defer { close(socket) }
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EADDRINUSE)
    }
    Thread.detachNewThread { [ended] in
      while true {
        let client = accept(socket, nil, nil)
        if client < 0 { break }
        serve(client)
      }
      close(socket)
      ended.signal()
    }
  }

  /// Refuses connections from now on.
  func end() {
    shutdown(socket, Int32(SHUT_RDWR))
    ended.wait()
  }
}

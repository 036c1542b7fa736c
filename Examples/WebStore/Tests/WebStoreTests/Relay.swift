import Foundation
import Synchronization

/// Stands between a store and a service: can be away, and lose answers.
final class Relay: Sendable {
  private struct State {
    var listener: Int32
    var target: Int
    /// How many answers to saves get lost from now on.
    var answersToLose = 0
    var connections: Set<Int32> = []
  }

  let port: Int
  private let state: Mutex<State>

  /// - Parameter target: the port of the service.
  init(to target: Int) throws {
    let (socket, port) = try Self.bind(0)
    self.port = port
    state = Mutex(State(listener: socket, target: target))
    listen(socket)
  }

  deinit { leave() }

  var url: URL { URL(string: "http://127.0.0.1:\(port)/")! }

  /// From now on connections are refused, and those that there are end. The port stays taken.
  func leave() {
    let (listener, connections) = state.withLock { state in
      defer { state.connections = [] }
      return (state.listener, state.connections)
    }
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
    for connection in connections { shutdown(connection, Int32(SHUT_RDWR)) }
    let socket = (try? Self.bind(port).socket) ?? -1
    state.withLock { $0.listener = socket }
  }

  /// - Parameter target: the port of the service, if that is another one now.
  func comeBack(to target: Int? = nil) {
    let listener = state.withLock { state in
      if let target { state.target = target }
      return state.listener
    }
    listen(listener)
  }

  func loseAnswersToSaves(_ count: Int) { state.withLock { $0.answersToLose = count } }

  // MARK: Sockets

  private static func bind(_ port: Int) throws -> (socket: Int32, port: Int) {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var one: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
    var address = address(port)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        Foundation.bind(descriptor, pointer, size) == 0 ? getsockname(descriptor, pointer, &size) : -1
      }
    }
    if result != 0 { throw POSIXError(.EADDRINUSE) }
    return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
  }

  private static func address(_ port: Int) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    return address
  }

  private func listen(_ socket: Int32) {
    Foundation.listen(socket, 64)
    Thread.detachNewThread { [weak self] in
      while true {
        let client = accept(socket, nil, nil)
        guard client >= 0, let self else { return }
        self.serve(client)
      }
    }
  }

  private func serve(_ client: Int32) {
    let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = Self.address(state.withLock { $0.target })
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(server, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    if result != 0 {
      close(client)
      close(server)
      return
    }
    state.withLock { $0.connections.formUnion([client, server]) }
    let exchange = Exchange()
    let group = DispatchGroup()
    for (from, to, isRequest) in [(client, server, true), (server, client, false)] {
      group.enter()
      Thread.detachNewThread { [weak self] in
        self?.copy(from, to, isRequest, exchange)
        shutdown(from, Int32(SHUT_RDWR))
        shutdown(to, Int32(SHUT_RDWR))
        group.leave()
      }
    }
    group.notify(queue: .global()) { [weak self] in
      self?.state.withLock { $0.connections.subtract([client, server]) }
      close(client)
      close(server)
    }
  }

  /// What was asked last over a connection.
  private final class Exchange: Sendable {
    let isSave = Mutex(false)
  }

  private func copy(_ from: Int32, _ to: Int32, _ isRequest: Bool, _ exchange: Exchange) {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = recv(from, &buffer, buffer.count, 0)
      guard count > 0 else { return }
      if isRequest {
        let head = String(decoding: buffer.prefix(min(count, 16)), as: UTF8.self)
        if head.hasPrefix("POST ") || head.hasPrefix("GET ") {
          exchange.isSave.withLock { $0 = head.hasPrefix("POST /save") }
        }
      } else if exchange.isSave.withLock({ $0 }) {
        let isLost = state.withLock { state in
          guard state.answersToLose > 0 else { return false }
          state.answersToLose -= 1
          return true
        }
        if isLost { return }
      }
      var sent = 0
      while sent < count {
        let written = buffer[sent..<count].withUnsafeBytes {
          send(to, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        guard written > 0 else { return }
        sent += written
      }
    }
  }
}

import Foundation

/// A socket, which is closed when the object is released.
final class ProxySocket: Sendable {
  let descriptor: Int32
  /// A pipe. `stop` writes to it to end `accept`.
  private let wake: [Int32]

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
    var ends: [Int32] = [-1, -1]
    _ = pipe(&ends)
    wake = ends
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    // A program that another test starts must not keep a connection open that is closed here.
    for each in ends + [descriptor] { _ = fcntl(each, F_SETFD, FD_CLOEXEC) }
    var on: Int32 = 1
    // This fails for Unix sockets, which do not need it.
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
  }

  deinit {
    close(descriptor)
    for end in wake { close(end) }
  }

  // MARK: Making

  static func listeningOnTCP() throws -> ProxySocket {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    return try make(AF_INET, &address, Glibc.bind).listening()
  }

  static func listening(at path: String) throws -> ProxySocket {
    var address = try unixAddress(path)
    return try make(AF_UNIX, &address, Glibc.bind).listening()
  }

  static func connected(to path: String) throws -> ProxySocket {
    var address = try unixAddress(path)
    return try make(AF_UNIX, &address, Glibc.connect)
  }

  private static func make<Address>(
    _ family: Int32, _ address: inout Address, _ call: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) throws -> ProxySocket {
    let descriptor = Glibc.socket(family, Int32(SOCK_STREAM.rawValue), 0)
    let code = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        call(descriptor, $0, socklen_t(MemoryLayout<Address>.size))
      }
    }
    guard descriptor >= 0, code == 0 else {
      let reason = errno
      if descriptor >= 0 { close(descriptor) }
      throw PostgreSQLServer.Failure(message: "the proxy has no socket: \(String(cString: strerror(reason)))")
    }
    return ProxySocket(descriptor)
  }

  private static func unixAddress(_ path: String) throws -> sockaddr_un {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let size = MemoryLayout.size(ofValue: address.sun_path)
    guard path.utf8.count < size else { throw PostgreSQLServer.Failure(message: "the path \(path) is too long") }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    return address
  }

  private func listening() throws -> ProxySocket {
    guard listen(descriptor, 64) == 0 else { throw PostgreSQLServer.Failure(message: "the proxy cannot listen") }
    return self
  }

  // MARK: Using

  /// The port that the socket listens on.
  var port: Int {
    var address = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    _ = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
    }
    return Int(UInt16(bigEndian: address.sin_port))
  }

  /// Waits for the next connection; nil after `stop`.
  func accept() -> Int32? {
    while true {
      var entries = [descriptor, wake[0]].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      _ = poll(&entries, 2, -1)
      if entries[1].revents != 0 { return nil }
      let accepted = Glibc.accept(descriptor, nil, nil)
      if accepted >= 0 { return accepted }
      if errno != EAGAIN, errno != EINTR, errno != ECONNABORTED { return nil }
    }
  }

  func stop() {
    var byte: UInt8 = 0
    _ = Glibc.write(wake[1], &byte, 1)
  }

  /// - Returns: the number of bytes that were read; 0 at the end of the connection, -1 if there are no bytes now.
  func read(into buffer: inout [UInt8]) -> Int {
    let count = recv(descriptor, &buffer, buffer.count, 0)
    if count < 0 { return errno == EAGAIN || errno == EINTR ? -1 : 0 }
    return count
  }

  /// - Returns: the number of bytes that were written; -1 if the other side has closed the connection.
  func write(_ bytes: [UInt8], from start: Int, atMost limit: Int) -> Int {
    let count = bytes.withUnsafeBytes { bytes in
      send(
        descriptor, bytes.baseAddress.map { $0 + start }, min(limit, bytes.count - start), Int32(MSG_NOSIGNAL))
    }
    if count < 0 { return errno == EAGAIN || errno == EINTR ? 0 : -1 }
    return count
  }

  func endWriting() { shutdown(descriptor, Int32(SHUT_WR)) }
}

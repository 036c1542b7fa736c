import Foundation

/// Sockets of the loopback address.
enum RelaySocket {
  /// - Parameter port: 0 for one that is free.
  /// - Throws: the error of the system.
  static func bound(to port: Int) throws -> (socket: Int32, port: Int) {
    let descriptor = try made()
    var one: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
    var address = address(port)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        bind(descriptor, pointer, size) == 0 ? getsockname(descriptor, pointer, &size) : -1
      }
    }
    if result != 0 {
      defer { close(descriptor) }
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EADDRINUSE)
    }
    return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
  }

  /// - Throws: the error of the system.
  static func connected(to port: Int) throws -> Int32 {
    let descriptor = try made()
    var address = address(port)
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    if result != 0 {
      defer { close(descriptor) }
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .ECONNREFUSED)
    }
    return descriptor
  }

  /// - Returns: whether all bytes were taken.
  static func send(_ bytes: some Collection<UInt8>, to socket: Int32) -> Bool {
    var rest = Array(bytes)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  private static func made() throws -> Int32 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    if descriptor < 0 { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EMFILE) }
    return descriptor
  }

  private static func address(_ port: Int) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    return address
  }
}

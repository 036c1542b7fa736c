import Foundation
import Synchronization

/// Serves the files of a folder over HTTP on a port of its own, and misbehaves as it is told.
final class SeedTestServer: Sendable {
  /// What the next requests for a store meet, one after the other; then all goes well.
  enum Mishap {
    /// The connection ends after so many bytes of the body.
    case cut(after: Int)
    /// The whole file comes, though a part was asked for.
    case whole
    /// Nothing but this status.
    case status(Int)
  }

  struct Request: Equatable {
    var path: String
    /// The first byte that was asked for.
    var start: Int
  }

  let port: UInt16
  private let listener: Int32
  private let folder: URL
  private let state: Mutex<(mishaps: [Mishap], requests: [Request])>

  init(_ folder: URL, _ mishaps: [Mishap] = []) throws {
    self.folder = folder
    state = Mutex((mishaps, []))
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let bound = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listener, address, size) == 0 && listen(listener, 16) == 0 && getsockname(listener, address, &size) == 0
      }
    }
    self.listener = listener
    guard bound else { throw POSIXError(.EADDRNOTAVAIL) }
    port = UInt16(bigEndian: address.sin_port)
    Thread.detachNewThread { [self] in
      while true {
        let connection = accept(listener, nil, nil)
        if connection < 0 { return }
        answer(connection)
        close(connection)
      }
    }
  }

  /// The address of a file.
  func address(_ name: String) -> String { "http://127.0.0.1:\(port)/\(name)" }

  /// The requests for stores so far.
  var requests: [Request] { state.withLock { $0.requests } }

  func stop() {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }

  private func answer(_ connection: Int32) {
    var head = ""
    var buffer = [UInt8](repeating: 0, count: 4096)
    while !head.contains("\r\n\r\n") {
      let count = read(connection, &buffer, buffer.count)
      if count <= 0 { return }
      head += String(decoding: buffer[..<count], as: UTF8.self)
    }
    let lines = head.components(separatedBy: "\r\n")
    let path = String(lines[0].split(separator: " ")[1])
    let range = lines.first { $0.lowercased().hasPrefix("range: bytes=") }
    let start = range.flatMap { Int($0.dropFirst("range: bytes=".count).prefix { $0.isNumber }) } ?? 0
    var mishap: Mishap?
    if path.hasSuffix(".sqlite") {
      mishap = state.withLock { state in
        state.requests.append(Request(path: path, start: start))
        return state.mishaps.isEmpty ? nil : state.mishaps.removeFirst()
      }
    }
    guard let file = try? Data(contentsOf: folder.appending(path: path)) else {
      return send(connection, "404 Not Found", [], Data())
    }
    switch mishap {
    case .status(let status): send(connection, "\(status) Told so", [], Data())
    case .whole: send(connection, "200 OK", [], file)
    case .cut(let count): send(connection, start, file, upTo: count)
    case nil: send(connection, start, file, upTo: .max)
    }
  }

  private func send(_ connection: Int32, _ start: Int, _ file: Data, upTo count: Int) {
    if start >= file.count { return send(connection, "416 Range Not Satisfiable", [], Data()) }
    let body = file.dropFirst(start)
    let range = start > 0 ? ["Content-Range: bytes \(start)-\(file.count - 1)/\(file.count)"] : []
    send(connection, start > 0 ? "206 Partial Content" : "200 OK", range, body, upTo: count)
  }

  private func send(_ connection: Int32, _ status: String, _ headers: [String], _ body: Data, upTo count: Int = .max) {
    let head = ["HTTP/1.1 \(status)", "Content-Length: \(body.count)", "Connection: close"] + headers + ["", ""]
    var rest = Data(head.joined(separator: "\r\n").utf8) + body.prefix(count)
    while !rest.isEmpty {
      let sent = rest.withUnsafeBytes { Glibc.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      if sent <= 0 { return }
      rest = rest.dropFirst(sent)
    }
  }
}

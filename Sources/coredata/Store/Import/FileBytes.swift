import CommandSupport
import Foundation

/// The bytes of a file one after the other. Only what is being read is in memory, however long the file is.
final class FileBytes {
  private let file: FileHandle
  private let path: String
  // An array would be checked and counted at every byte.
  private var buffer: UnsafeMutableRawBufferPointer
  private var position = 0
  private var end = 0
  /// Where a token begins that is read as a whole.
  private var start: Int?
  private var isAtEnd = false

  /// - Throws: a ``ToolError`` if the file cannot be read.
  init(_ url: URL) throws {
    path = url.path
    do {
      file = try FileHandle(forReadingFrom: url)
    } catch {
      throw ToolError("The file \(url.path) cannot be read", error)
    }
    buffer = .allocate(byteCount: 1 << 18, alignment: 16)
  }

  deinit {
    buffer.deallocate()
    try? file.close()
  }

  /// The byte that comes next; nil at the end of the file.
  var next: UInt8? {
    @inline(__always) get throws {
      if position == end { try fill() }
      return position < end ? buffer[position] : nil
    }
  }

  /// Passes over the next byte, which is there.
  @inline(__always)
  func advance() { position += 1 }

  /// Whether the bytes that come next are these. They are not passed over.
  func begins(with bytes: [UInt8]) throws -> Bool {
    while end - position < bytes.count, !isAtEnd { try fill() }
    guard end - position >= bytes.count else { return false }
    return bytes.indices.allSatisfy { buffer[position + $0] == bytes[$0] }
  }

  // MARK: Tokens

  /// Begins a token with the next byte.
  func beginToken() { start = position }

  /// Ends the token before the next byte, and gives `body` its bytes.
  func endToken<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    let first = start ?? position
    start = nil
    return try body(UnsafeRawBufferPointer(rebasing: buffer[first..<position]))
  }

  /// Passes over bytes up to one of the two, or to the end of the file.
  func skip(upTo first: UInt8, or second: UInt8) throws {
    while true {
      while position < end {
        let byte = buffer[position]
        if byte == first || byte == second { return }
        position += 1
      }
      try fill()
      if position == end { return }
    }
  }

  /// Reads more of the file behind what is there, from where the token begins.
  private func fill() throws {
    if isAtEnd { return }
    let first = start ?? position
    if first > 0 {
      buffer.baseAddress.map { $0.copyMemory(from: $0 + first, byteCount: end - first) }
      position -= first
      end -= first
      if start != nil { start = 0 }
    }
    if end == buffer.count {
      let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: buffer.count * 2, alignment: 16)
      larger.copyMemory(from: UnsafeRawBufferPointer(buffer))
      buffer.deallocate()
      buffer = larger
    }
    let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[end...])
    while true {
      let count = read(file.fileDescriptor, rest.baseAddress, rest.count)
      if count >= 0 {
        end += count
        isAtEnd = count == 0
        return
      }
      if errno != EINTR {
        throw ToolError("The file \(path) cannot be read: \(String(cString: strerror(errno))).")
      }
    }
  }
}

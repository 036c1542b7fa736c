import CommandSupport
import Foundation

/// The bytes of a file one after the other. Only what is being read is in memory, however long the file is.
struct FileBytes: ~Copyable {
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
    file = try Self.open(url)
    path = url.path
    buffer = .allocate(byteCount: 1 << 18, alignment: 16)
  }

  private static func open(_ url: URL) throws -> FileHandle {
    do { return try FileHandle(forReadingFrom: url) } catch {
      throw ToolError("The file \(url.path) cannot be read", error)
    }
  }

  deinit {
    buffer.deallocate()
    try? file.close()
  }

  /// The byte that comes next; nil at the end of the file.
  var next: UInt8? {
    @inline(__always) mutating get throws {
      if position == end { try fill() }
      return position < end ? buffer[position] : nil
    }
  }

  /// Passes over the next byte, which is there.
  @inline(__always)
  mutating func advance() { position += 1 }

  /// Whether the bytes that come next are these. They are not passed over.
  mutating func begins(with bytes: [UInt8]) throws -> Bool {
    while end - position < bytes.count, !isAtEnd { try fill() }
    guard end - position >= bytes.count else { return false }
    for place in bytes.indices where buffer[position + place] != bytes[place] { return false }
    return true
  }

  // MARK: Tokens

  /// Begins a token with the next byte.
  mutating func beginToken() { start = position }

  /// Ends the token before the next byte, and gives `body` its bytes.
  mutating func endToken<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    let first = start ?? position
    start = nil
    return try body(UnsafeRawBufferPointer(rebasing: buffer[first..<position]))
  }

  /// Passes over bytes up to one of the two, or to the end of the file.
  /// - Returns: whether all of them are ASCII.
  mutating func skip(upTo first: UInt8, or second: UInt8) throws -> Bool {
    var seen: UInt8 = 0
    while true {
      var place = position
      while place < end {
        let byte = buffer[place]
        if byte == first || byte == second { break }
        seen |= byte
        place += 1
      }
      position = place
      if place < end { return seen < 0x80 }
      try fill()
      if position == end { return seen < 0x80 }
    }
  }

  /// Reads more of the file behind what is there, from where the token begins.
  @inline(never)
  private mutating func fill() throws {
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

extension String {
  /// The text of bytes; nil if they are not UTF-8.
  /// - Parameter isASCII: whether the bytes are known to be ASCII, so that nothing need be checked.
  init?(_ bytes: UnsafeRawBufferPointer, isASCII: Bool) {
    if isASCII {
      self.init(decoding: bytes.assumingMemoryBound(to: UInt8.self), as: UTF8.self)
    } else {
      self.init(validating: bytes, as: UTF8.self)
    }
  }
}

#if PostgreSQL
  import Foundation

  /// The values of one execution's variables in the server's binary form, in one buffer.
  ///
  /// A value that cannot be sent is noted when it is appended, and thrown by `ServerConnection.run` before anything is sent:
  /// code that appends thousands of values need not check each.
  struct ServerValues: Sendable {
    /// The place of a value in the buffer. A length of -1 means NULL.
    struct Place: Sendable {
      let offset: Int
      var length: Int32
    }

    /// The length of the longest value, which is the server's limit, too.
    static let maximumLength = 0x3fff_0000

    var bytes = ServerBytes()
    var places: [Place] = []
    /// The array whose elements are being appended.
    var array = OpenArray()
    /// The error of the first value that cannot be sent.
    private(set) var problem: ServerValueError?

    /// - Parameter variables: the number of variables, if it is known.
    init(variables count: Int = 0) { if count > 0 { places.reserveCapacity(count) } }

    /// The number of values.
    var count: Int { places.count }

    mutating func appendNull() {
      guard array.isOpen else { return places.append(Place(offset: bytes.count, length: -1)) }
      bytes.append(Int32(-1))
      array.count += 1
      array.hasNulls = true
    }

    mutating func append(_ value: Bool) { append(number: UInt8(value ? 1 : 0)) }

    mutating func append(_ value: Int16) { append(number: value) }

    mutating func append(_ value: Int32) { append(number: value) }

    mutating func append(_ value: Int64) { append(number: value) }

    mutating func append(_ value: Float) { append(number: value.bitPattern) }

    mutating func append(_ value: Double) { append(number: value.bitPattern) }

    /// A value of the type `"char"`: one byte.
    mutating func append(char: UInt8) { append(number: char) }

    mutating func append(_ uuid: UUID) {
      begin(16)
      withUnsafeBytes(of: uuid.uuid) { bytes.append($0) }
    }

    mutating func append(_ decimal: Decimal) {
      let form = NumericForm(decimal)
      begin(8 + 2 * form.count)
      form.write(into: &bytes)
    }

    /// Adds a text. A text with U+0000 cannot be sent, because the server's texts cannot contain that character.
    mutating func append(_ text: String) {
      // The bytes of a native Swift text are in memory already. `withUTF8` would need a mutable copy.
      if text.utf8.withContiguousStorageIfAvailable({ append(utf8: UnsafeRawBufferPointer($0)) }) != nil { return }
      var text = text
      text.withUTF8 { append(utf8: UnsafeRawBufferPointer($0)) }
    }

    /// Adds a text as its bytes.
    @inline(__always)
    mutating func append(utf8: UnsafeRawBufferPointer) {
      if let start = utf8.baseAddress, memchr(start, 0, utf8.count) != nil { note(.containsNUL) }
      append(bytes: utf8)
    }

    mutating func append(_ data: Data) { data.withUnsafeBytes { append(bytes: $0) } }

    /// Adds a value of any type by its binary form.
    mutating func append(bytes value: UnsafeRawBufferPointer) {
      guard value.count <= Self.maximumLength else {
        note(.tooLong)
        return appendNull()
      }
      guard array.isOpen, let start = value.baseAddress else {
        begin(value.count)
        return bytes.append(value)
      }
      let place = bytes.grow(by: 4 + value.count)
      place.storeBytes(of: Int32(truncatingIfNeeded: value.count).bigEndian, as: Int32.self)
      (place + 4).copyMemory(from: start, byteCount: value.count)
      array.count += 1
    }

    @inline(__always)
    private mutating func append<Number: FixedWidthInteger & BitwiseCopyable>(number: Number) {
      let size = MemoryLayout<Number>.size
      guard array.isOpen else {
        begin(size)
        return bytes.append(number)
      }
      // Makes room for length and value at once, since most values are numbers in arrays.
      let place = bytes.grow(by: 4 + size)
      place.storeBytes(of: Int32(size).bigEndian, as: Int32.self)
      (place + 4).storeBytes(of: number.bigEndian, as: Number.self)
      array.count += 1
    }

    /// Adds the length of the value that follows.
    @inline(__always)
    mutating func begin(_ length: Int) {
      if array.isOpen {
        bytes.append(Int32(truncatingIfNeeded: length))
        array.count += 1
      } else {
        places.append(Place(offset: bytes.count, length: Int32(truncatingIfNeeded: length)))
      }
    }

    mutating func note(_ problem: ServerValueError) {
      if self.problem == nil { self.problem = problem }
    }
  }

  extension String {
    /// Whether the text contains U+0000, which the server's texts cannot contain.
    var containsNUL: Bool {
      var text = self
      return text.withUTF8 { utf8 in utf8.baseAddress.map { memchr($0, 0, utf8.count) != nil } ?? false }
    }
  }

  /// Why a value cannot be sent.
  enum ServerValueError: Error {
    /// The value is a text with U+0000, which the server's texts cannot contain.
    case containsNUL
    /// A value, or the values of one statement together, are longer than about 1 GB.
    case tooLong
    /// There are more than 65,535 variables.
    case tooMany
  }
#endif

#if PostgreSQL
  import Foundation

  /// The values of one execution's variables in the server's binary form, one after the other in one buffer.
  ///
  /// What cannot be sent is noted when it is appended, and thrown by `ServerConnection.run` before anything is sent: who
  /// appends thousands of values need not look at each.
  struct ServerValues: Sendable {
    /// Where a value stands; a length of -1 is NULL.
    struct Place: Sendable {
      let offset: Int
      var length: Int32
    }

    /// The longest value, which is the server's limit, too.
    static let maximumLength = 0x3fff_0000

    var bytes = ServerBytes()
    var places: [Place] = []
    /// The array whose elements are being appended.
    var array = OpenArray()
    /// The first value that cannot be sent.
    private(set) var problem: ServerValueError?

    /// - Parameter variables: how many there will be, if that is known.
    init(variables count: Int = 0) { if count > 0 { places.reserveCapacity(count) } }

    /// How many variables have values.
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

    /// A text; one with U+0000, which no text of the server's can have, is a problem.
    mutating func append(_ text: String) {
      // Texts of Swift's own need no copy to be changed in place, as `withUTF8` has it.
      if text.utf8.withContiguousStorageIfAvailable({ append(utf8: UnsafeRawBufferPointer($0)) }) != nil { return }
      var text = text
      text.withUTF8 { append(utf8: UnsafeRawBufferPointer($0)) }
    }

    /// The same of a text's bytes.
    @inline(__always)
    mutating func append(utf8: UnsafeRawBufferPointer) {
      if let start = utf8.baseAddress, memchr(start, 0, utf8.count) != nil { note(.containsNUL) }
      append(bytes: utf8)
    }

    mutating func append(_ data: Data) { data.withUnsafeBytes { append(bytes: $0) } }

    /// A value of any type whose binary form these bytes are.
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
      // Room for both at once: what is written are mostly numbers in arrays.
      let place = bytes.grow(by: 4 + size)
      place.storeBytes(of: Int32(size).bigEndian, as: Int32.self)
      (place + 4).storeBytes(of: number.bigEndian, as: Number.self)
      array.count += 1
    }

    /// Says that a value of so many bytes follows.
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
    /// Whether it has U+0000, which no text of the server's can have.
    var containsNUL: Bool {
      var text = self
      return text.withUTF8 { utf8 in utf8.baseAddress.map { memchr($0, 0, utf8.count) != nil } ?? false }
    }
  }

  /// What values cannot be sent.
  enum ServerValueError: Error {
    /// A text with U+0000, which the server's texts cannot have.
    case containsNUL
    /// A value, or the values of one statement, of about 1 GB or more.
    case tooLong
    /// More variables than 65,535.
    case tooMany
  }
#endif

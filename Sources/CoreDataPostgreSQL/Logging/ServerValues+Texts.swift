#if PostgreSQL
  import Foundation

  // Values as texts for a log.
  extension ServerValues {
    /// How many elements of an array are shown; for a longer array, the total number is shown after them.
    private static let shownElements = 10

    /// Returns the values as texts, by the types of their variables.
    func texts(_ types: [UInt32]) -> [String] {
      bytes.withUnsafeBytes { all in
        zip(places, types).map { place, type in
          guard place.length >= 0 else { return "nil" }
          let value = UnsafeRawBufferPointer(rebasing: all[place.offset..<place.offset + Int(place.length)])
          return Self.text(value, type)
        }
      }
    }

    private static func text(_ value: UnsafeRawBufferPointer, _ type: UInt32) -> String {
      func number<Number: FixedWidthInteger>(as type: Number.Type) -> Number {
        Number(bigEndian: value.loadUnaligned(as: type))
      }
      switch (type, value.count) {
      case (ServerType.bool, 1): return value[0] != 0 ? "true" : "false"
      case (ServerType.char, 1): return "'\(UnicodeScalar(value[0]))'"
      case (ServerType.int16, 2): return String(number(as: Int16.self))
      case (ServerType.int32, 4): return String(number(as: Int32.self))
      case (ServerType.int64, 8): return String(number(as: Int64.self))
      case (ServerType.float, 4): return "\(Float(bitPattern: number(as: UInt32.self)))"
      case (ServerType.double, 8): return "\(Double(bitPattern: number(as: UInt64.self)))"
      case (ServerType.numeric, _): return "\(NumericForm.decimal(of: value))"
      case (ServerType.text, _): return "\"\(String(decoding: value, as: UTF8.self))\""
      case (ServerType.uuid, 16): return UUID(uuid: value.loadUnaligned(as: uuid_t.self)).uuidString
      default: return elements(value, of: type) ?? "<\(value.count) bytes>"
      }
    }

    /// Returns the type of an array's elements; nil if the type is not an array's.
    private static func elementType(of type: UInt32) -> UInt32? {
      [
        ServerType.bool, ServerType.bytes, ServerType.char, ServerType.int16, ServerType.int32, ServerType.int64,
        ServerType.float, ServerType.double, ServerType.numeric, ServerType.text, ServerType.uuid,
      ].first { ServerType.array(of: $0) == type }
    }

    /// Returns the elements of an array as text; nil if the value is not an array.
    private static func elements(_ value: UnsafeRawBufferPointer, of type: UInt32) -> String? {
      func word(at offset: Int) -> Int32? {
        guard offset + 4 <= value.count else { return nil }
        return Int32(bigEndian: value.loadUnaligned(fromByteOffset: offset, as: Int32.self))
      }
      guard let element = elementType(of: type), let dimensions = word(at: 0), dimensions == 0 || dimensions == 1 else {
        return nil
      }
      if dimensions == 0 { return "{}" }
      guard let count = word(at: 12) else { return nil }
      var texts: [String] = [], offset = 20
      for _ in 0..<min(Int(count), shownElements) {
        guard let length = word(at: offset) else { return nil }
        offset += 4
        if length < 0 {
          texts.append("nil")
          continue
        }
        guard offset + Int(length) <= value.count else { return nil }
        let part = UnsafeRawBufferPointer(rebasing: value[offset..<offset + Int(length)])
        texts.append(text(part, element))
        offset += Int(length)
      }
      if Int(count) > shownElements { texts.append("… \(count) in all") }
      return "{\(texts.joined(separator: ", "))}"
    }
  }
#endif

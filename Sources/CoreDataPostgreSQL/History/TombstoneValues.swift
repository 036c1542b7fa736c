#if PostgreSQL
  import Foundation
  import OpenCocoaFoundation
  @_spi(Store) import OpenCoreData

  /// Reads the values of a tombstone, which the server has kept as texts in JSON.
  enum TombstoneValues {
    /// Returns a text as the value of an attribute, as key-value coding returns it; nil if the text is no such value.
    static func value(_ text: String, of attribute: NSAttributeDescription) -> Any? {
      switch attribute.attributeType {
      case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType:
        return Int64(text).map { NSNumber(value: $0) }
      case .booleanAttributeType: return NSNumber(value: text == "true")
      // JSON has NaN and infinity as strings, which these initializers read, too.
      case .doubleAttributeType: return Double(text).map { NSNumber(value: $0) }
      case .floatAttributeType: return Float(text).map { NSNumber(value: $0) }
      case .dateAttributeType: return Double(text).map(Date.init(timeIntervalSinceReferenceDate:))
      case .decimalAttributeType:
        return (text == "NaN" ? Decimal.nan : Decimal(string: text)).map { NSDecimalNumber(decimal: $0) }
      case .stringAttributeType: return text
      case .URIAttributeType: return URL(string: text)
      case .UUIDAttributeType: return UUID(uuidString: text)
      case .transformableAttributeType:
        // If the bytes belong to a class that this program does not have, the bytes are the value.
        return bytes(text).map { (try? attribute.transformedObject(in: $0)) ?? $0 }
      default: return bytes(text)
      }
    }

    /// Reads bytes from a text such as `\x00ff`.
    private static func bytes(_ text: String) -> Data? {
      let digits = Array(text.utf8)
      guard digits.count >= 2, digits.count % 2 == 0, digits[0] == UInt8(ascii: "\\"), digits[1] == UInt8(ascii: "x")
      else { return nil }
      var bytes = Data(capacity: digits.count / 2 - 1)
      for place in stride(from: 2, to: digits.count, by: 2) {
        guard let high = digit(digits[place]), let low = digit(digits[place + 1]) else { return nil }
        bytes.append(high << 4 | low)
      }
      return bytes
    }

    private static func digit(_ character: UInt8) -> UInt8? {
      switch character {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
      default: nil
      }
    }
  }
#endif

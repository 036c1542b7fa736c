import Foundation

extension PredicatePrinter {
  /// Returns the text of a constant in a format.
  static func text(ofConstant value: Any?) -> String {
    guard let value = unwrapped(value) else { return "nil" }
    switch value {
    case let symbol as IndexSymbol: return symbol.rawValue
    case let string as String: return quoted(string)
    case let decimal as Decimal: return decimal.description
    case let number as NSNumber: return text(ofNumber: number)
    case let date as Date: return "CAST(\(String(format: "%.6f", date.timeIntervalSinceReferenceDate)), \"NSDate\")"
    case is NSNull: return "<null>"
    case let predicate as NSPredicate: return text(of: predicate)
    case let data as Data: return text(ofData: data)
    default:
      if let dictionary = entries(of: value) { return text(ofDictionary: dictionary) }
      if let elements = elements(of: value) {
        return "{" + elements.map { text(ofConstant: $0) }.joined(separator: ", ") + "}"
      }
      return ValueText.of(value)
    }
  }

  /// Returns the text of a number; a Boolean is 1 or 0. Infinity is written as a number that is too large for a Double, because
  /// "inf" would be parsed as a name.
  private static func text(ofNumber number: NSNumber) -> String {
    guard case .real(let value) = ExactNumber(number), value.isInfinite else { return ExactNumber(number).text }
    return value > 0 ? "1e999" : "-1e999"
  }

  /// Returns the text of data in the form of the description of Apple's NSData. The parser cannot read it.
  private static func text(ofData data: Data) -> String {
    let hexadecimal = { (bytes: Data) in bytes.map { String(format: "%02x", $0) }.joined() }
    let bytes =
      data.count <= 24 ? hexadecimal(data) : hexadecimal(data.prefix(16)) + " ... " + hexadecimal(data.suffix(8))
    return "{length = \(data.count), bytes = 0x\(bytes)}"
  }

  /// Returns the text of a dictionary, with the entries in the order of the keys' texts. The parser cannot read it.
  private static func text(ofDictionary dictionary: [AnyHashable: Any]) -> String {
    let entries = dictionary.map { (key: text(ofConstant: $0.key.base), value: text(ofConstant: $0.value)) }
    return "{" + entries.sorted { $0.key < $1.key }.map { "\($0.key) = \($0.value);" }.joined(separator: " ") + "}"
  }

  /// Returns a string in double quotes, with escapes.
  static func quoted(_ string: String) -> String {
    var text = "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }
}

import Foundation

extension PredicatePrinter {
  /// A constant as a format writes it.
  static func text(ofConstant value: Any?) -> String {
    guard let value = unwrapped(value) else { return "nil" }
    switch value {
    case let symbol as IndexSymbol: return symbol.rawValue
    case let string as String: return quoted(string)
    case let decimal as Decimal: return decimal.description
    case let decimal as NSDecimalNumber: return decimal.decimalValue.description
    case let number as NSNumber: return text(ofNumber: number)
    case let date as Date: return "CAST(\(String(format: "%.6f", date.timeIntervalSinceReferenceDate)), \"NSDate\")"
    case is NSNull: return "<null>"
    case let predicate as NSPredicate: return text(of: predicate)
    default:
      if let elements = elements(of: value) {
        return "{" + elements.map { text(ofConstant: $0) }.joined(separator: ", ") + "}"
      }
      return "\(value)"
    }
  }

  private static func text(ofNumber number: NSNumber) -> String {
    // Booleans are 1 and 0, as their values are.
    number.isFloating ? number.description : ExactNumber(number).nsNumber.description
  }

  /// A string in double quotes.
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

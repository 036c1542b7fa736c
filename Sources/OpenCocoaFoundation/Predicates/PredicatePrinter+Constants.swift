import Foundation

extension PredicatePrinter {
  /// A constant as a format writes it.
  static func text(ofConstant value: Any?) -> String {
    guard let value = unwrapped(value) else { return "nil" }
    switch value {
    case let symbol as IndexSymbol: return symbol.rawValue
    case let string as String: return quoted(string)
    case let decimal as Decimal: return decimal.description
    case let number as NSNumber: return ExactNumber(number).text  // Booleans are 1 and 0.
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

import Foundation

extension XMLElementTree {
  /// The document with this element, indented, as Xcode writes models. Attributes stand in the order of their names, the name
  /// first, so that equal trees give equal files.
  var document: Data {
    var text = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"
    // The depth is that of a model's elements, which their maker bounds.
    write(to: &text, indent: "")
    return Data(text.utf8)
  }

  private func write(to text: inout String, indent: String) {
    text += "\(indent)<\(name)"
    let sorted = attributes.sorted { ($0.key != "name" ? 1 : 0, $0.key) < ($1.key != "name" ? 1 : 0, $1.key) }
    for (key, value) in sorted { text += " \(key)=\"\(Self.escaped(value))\"" }
    if children.isEmpty { return text += "/>\n" }
    text += ">\n"
    for child in children { child.write(to: &text, indent: indent + "    ") }
    text += "\(indent)</\(name)>\n"
  }

  /// Spaces other than the space would be read as spaces.
  private static func escaped(_ value: String) -> String {
    var result = ""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\t", "\n", "\r": result += "&#\(scalar.value);"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

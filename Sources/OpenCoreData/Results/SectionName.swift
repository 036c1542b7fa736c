import Foundation
import OpenCocoaFoundation

/// The name of a section. Names are compared by the codes of their characters, as in a store. Swift's own comparison
/// would treat equivalent letters as equal.
struct SectionName: Hashable {
  let text: String

  init(_ text: String) { self.text = text }

  /// Makes the name for a value of the section key path.
  init(value: Any?) {
    switch value {
    case nil, is NSNull: text = ""
    case let string as String: text = string
    case let number as NSNumber: text = Self.text(number)
    case let date as Date: text = ValueText.of(date)
    case let object as NSObject: text = object.description
    case let value?: text = String(describing: value)
    }
  }

  private static func text(_ number: NSNumber) -> String {
    // For a Boolean, Foundation on this platform gives "true" or 1, depending on the origin of the number.
    let type = number.objCType.pointee
    if type == CChar(UInt8(ascii: "B")) || CFBooleans.contains(number) { return number.boolValue ? "1" : "0" }
    return number.stringValue
  }

  static func == (left: SectionName, right: SectionName) -> Bool { StringBytes.equal(left.text, right.text) }

  func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}

/// The two numbers that Foundation uses for Booleans.
private enum CFBooleans {
  static func contains(_ number: NSNumber) -> Bool {
    number === NSNumber(value: true) || number === NSNumber(value: false)
  }
}

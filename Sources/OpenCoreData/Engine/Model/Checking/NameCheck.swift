import Foundation

/// Finds entities and properties with invalid names: empty names, and names with an ASCII character that is not a
/// letter, a digit, an underscore or a dollar sign.
///
/// Apple's modeller accepts no such names. The names become names of tables, columns, indexes and triggers, which
/// statements do not quote, and a dot separates the keys of a key path. SQLite accepts letters of all languages, and
/// every other character beyond ASCII, in a name without quotes.
enum NameCheck {
  /// - Throws: 134020 (`ModelProblem`), which names entity and property.
  static func check(_ entity: NSEntityDescription) throws {
    let name = entity.name ?? ""
    if let reason = reason(against: name) {
      throw ModelProblem.inconsistent("The entity's name \(reason).", entity: name)
    }
    for property in entity.declaredProperties { try check(property, [], entity: name) }
  }

  private static func check(_ property: NSPropertyDescription, _ outer: [String], entity: String) throws {
    let path = outer + [property.name]
    if let reason = reason(against: property.name) {
      throw ModelProblem.inconsistent(
        "The property's name \(reason).", entity: entity, property: path.joined(separator: "."))
    }
    guard let composite = property as? NSCompositeAttributeDescription else { return }
    for element in composite.elements { try check(element, path, entity: entity) }
  }

  /// Returns the reason why a name is invalid; nil for a valid name.
  private static func reason(against name: String) -> String? {
    if name.isEmpty { return "is empty" }
    if name.isPlainName { return nil }
    let wrong = name.utf8.first { !String.isPlain($0) } ?? 0
    let text = wrong > 0x20 && wrong < 0x7f ? "“\(Character(UnicodeScalar(wrong)))”" : "U+00" + hexadecimal(wrong)
    return "has the character \(text), where only letters, digits and underscores can be"
  }

  private static func hexadecimal(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16, uppercase: true)
    return digits.count < 2 ? "0" + digits : digits
  }

  /// Checks the names of the entities that a SQLite store is to hold. The model may be made in code, so that no reader
  /// has checked its names.
  /// - Throws: 134020, which names entity and property.
  static func check(_ entities: [NSEntityDescription], storeAt url: URL) throws {
    do {
      for entity in entities { try check(entity) }
    } catch let problem as ModelProblem {
      throw problem.error(file: url, of: "store")
    }
  }
}

extension String {
  /// Whether the text can follow a letter in the name of a table or column without quotes.
  var isPlainName: Bool { !isEmpty && utf8.allSatisfy(Self.isPlain) }

  fileprivate static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...0xff:
      true
    default: false
    }
  }

  /// The text with an underscore in place of each character that a plain name cannot have.
  var asPlainName: String {
    isPlainName ? self : String(decoding: utf8.map { Self.isPlain($0) ? $0 : UInt8(ascii: "_") }, as: UTF8.self)
  }
}

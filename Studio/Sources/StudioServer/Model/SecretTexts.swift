import CoreData
import Foundation

/// Hides the values of secret attributes in models, statements and differences: default values and limits, and predicates and
/// statements that may contain a value.
struct SecretTexts: Sendable {
  static let masked = "marked secret, not shown"

  private let attributes: Set<String>
  private let names: Set<String>

  /// - Parameter models: All models of a page: an attribute that is secret in one of them is secret in all of them.
  init(_ models: [NSManagedObjectModel]) {
    var attributes: Set<String> = [], names: Set<String> = []
    for entity in models.flatMap(\.entities) {
      for (name, attribute) in entity.attributesByName where attribute.isSecret {
        attributes.insert("\(entity.name ?? "")\u{0}\(name)")
        names.insert(name)
      }
    }
    (self.attributes, self.names) = (attributes, names)
  }

  func contains(_ entity: String, _ attribute: String) -> Bool { attributes.contains("\(entity)\u{0}\(attribute)") }

  /// Returns a predicate, or a placeholder if the predicate names a secret attribute.
  func predicate(_ text: String) -> String {
    let words = text.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
    return words.contains { names.contains(String($0)) } ? Self.masked : text
  }

  /// Returns a statement; if the statement names a column of a secret attribute, its texts and numbers are hidden.
  func statement(_ sql: String) -> String {
    let upper = sql.uppercased()
    guard names.contains(where: { upper.contains("Z" + $0.uppercased()) || upper.contains($0.uppercased()) }) else {
      return sql
    }
    return sql.replacing(/[xX]?'(?:[^']|'')*'|\b[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?\b/) { _ in
      "<secret>"
    }
  }

  /// Returns a line about a property, such as `password: text "a" instead of "b"`; if the property is secret, without the
  /// values.
  func line(_ text: String, entity: String) -> String {
    guard let name = names.first(where: { contains(entity, $0) && isAbout($0, text) }) else { return text }
    return "\(name): \(Self.masked)"
  }

  /// Returns a difference between objects, such as `Person/p1.password: "a" is there, "b" is expected`, without secret values.
  func difference(_ text: String) -> String {
    let parts = text.split(separator: ":", maxSplits: 1)
    guard parts.count == 2, let name = parts[0].split(separator: ".").last, names.contains(String(name)) else {
      return text
    }
    return "\(parts[0]): the value differs; it is \(Self.masked)"
  }

  private func isAbout(_ name: String, _ text: String) -> Bool {
    text.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.contains { $0 == name }
  }
}

import Foundation
import OpenCocoaFoundation

// The contents of models as text, for the command-line tool and for messages.

extension NSAttributeType {
  private static let names = Dictionary(
    SourceModelReader.types.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })

  /// The name that source models have for the type, e.g. `Integer 16`.
  package var name: String { self == .objectIDAttributeType ? "Object ID" : Self.names[self] ?? "Undefined" }
}

extension NSDeleteRule {
  private static let names = Dictionary(
    SourceModelReader.deleteRules.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })

  /// The name that source models have for the rule, e.g. `No Action`.
  package var name: String { Self.names[self] ?? "" }
}

extension NSAttributeDescription {
  /// The default value as text: strings in quotation marks, data as its number of bytes.
  package final var defaultValueText: String? {
    switch defaultValue {
    case nil: nil
    case let text as String: "\"\(text)\""
    case let number as NSNumber where attributeType == .booleanAttributeType: number.boolValue ? "true" : "false"
    case let date as Date: Self.text(date)
    case let data as Data: "\(data.count) bytes"
    case let value?: ValueText.of(value)
    }
  }

  /// The limits and other conditions that values must keep to, each as a text.
  package final var constraintTexts: [String] {
    let measure = attributeType == .stringAttributeType ? "length " : ""
    var texts: [String] = []
    if let minimum = limits.minimum { texts.append("min \(measure)\(minimum)") }
    if let maximum = limits.maximum { texts.append("max \(measure)\(maximum)") }
    if let earliest = limits.earliest { texts.append("earliest \(Self.text(earliest))") }
    if let latest = limits.latest { texts.append("latest \(Self.text(latest))") }
    if let pattern = limits.pattern { texts.append("matches \(pattern)") }
    return texts + storedValidationPredicates.map(\.description)
  }

  /// The elements of a composite attribute, each with its type.
  package final var elementsText: String? {
    guard let composite = self as? NSCompositeAttributeDescription else { return nil }
    return composite.leaves.map { "\($0.path.joined(separator: ".")) \($0.attribute.attributeType.name)" }
      .joined(separator: ", ")
  }

  private static func text(_ date: Date) -> String {
    date.timeIntervalSinceReferenceDate.isFinite ? date.formatted(.iso8601) : ValueText.of(date)
  }
}

extension NSRelationshipDescription {
  /// The number of objects that the relationship may have: `1`, `0...*`, `2...5`.
  package final var countText: String {
    if maxCount == 1 { return isOptional ? "0...1" : "1" }
    return "\(minCount)...\(maxCount == 0 ? "*" : String(maxCount))"
  }
}

extension NSFetchIndexDescription {
  /// The elements with their direction and kind, and the condition of the index.
  package final var text: String {
    let parts = elements.map { element in
      let name = (element.property as? NSExpressionDescription)?.expression?.description ?? element.propertyName ?? "?"
      return name + (element.isAscending ? "" : " descending") + (element.collationType == .rTree ? " rtree" : "")
    }
    return parts.joined(separator: ", ") + (partialIndexPredicate.map { " where \($0.description)" } ?? "")
  }
}

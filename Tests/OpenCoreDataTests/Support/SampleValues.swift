import CoreData
import Foundation

@_spi(Store) @testable import OpenCoreData

/// Values that a model allows for its attributes.
enum SampleValues {
  /// A value of the attribute's type within its limits; nil where none of those tried is allowed.
  static func make(_ attribute: NSAttributeDescription, _ number: Int) -> Any? {
    candidates(attribute, number).first { value in
      attribute.validationPredicates.allSatisfy { $0.evaluate(with: value) }
    }
  }

  private static func candidates(_ attribute: NSAttributeDescription, _ number: Int) -> [Any] {
    let limits = attribute.limits
    let least = limits.minimum.map { NSDecimalNumber(decimal: $0).int64Value + 1 }
    let most = limits.maximum.map { NSDecimalNumber(decimal: $0).int64Value - 1 }
    let whole = least ?? most ?? Int64(number)
    switch attribute.attributeType {
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType: return [NSNumber(value: whole)]
    case .booleanAttributeType: return [NSNumber(value: number % 2 == 0)]
    case .doubleAttributeType, .floatAttributeType: return [NSNumber(value: Double(whole) + 0.5)]
    case .decimalAttributeType: return [NSDecimalNumber(value: whole).adding(NSDecimalNumber(string: "0.25"))]
    case .dateAttributeType:
      if let date = limits.earliest ?? limits.latest { return [date] }
      return [Date(timeIntervalSinceReferenceDate: Double(number) + 0.125), Date(timeIntervalSinceReferenceDate: -1e9)]
    case .UUIDAttributeType: return [UUID()]
    case .URIAttributeType: return [URL(string: "https://example.org/\(number)?q=ä%20b") ?? URL(fileURLWithPath: "/")]
    case .binaryDataAttributeType: return [Data((0..<UInt8(50)).map { $0 &+ UInt8(truncatingIfNeeded: number) })]
    case .stringAttributeType:
      let texts = ["new title \(number) \(UUID().uuidString) é\u{0301}\u{1F600}", "new title", "n", "1"]
      return texts.map { text in
        let length = max(Int(limits.minimum.map { NSDecimalNumber(decimal: $0).int64Value } ?? 0), 0)
        let padded = text + String(repeating: "x", count: max(0, length - text.utf16.count))
        return limits.maximum.map { String(padded.prefix(NSDecimalNumber(decimal: $0).intValue / 2)) } ?? padded
      }
    case .transformableAttributeType: return ["text \(number)"]
    default: return []
    }
  }
}

extension NSAttributeDescription {
  /// Whether a program gives the attribute its value, and the store keeps it.
  var isSettable: Bool { !isTransient && !(self is NSDerivedAttributeDescription) }
}

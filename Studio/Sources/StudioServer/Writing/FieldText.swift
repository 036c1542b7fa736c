import CommandSupport
import CoreData
import CoreDataTools
import Foundation

/// Values of objects as text, for fields of forms and for display.
enum FieldText {
  /// Returns the text of a field, from which `FieldValue` reads the same value again; nil for no value.
  static func text(_ value: Any?, _ attribute: NSAttributeDescription) -> String? {
    guard let value, !(value is NSNull) else { return nil }
    switch attribute.attributeType {
    case .booleanAttributeType: return (value as? NSNumber).map { $0.boolValue ? "true" : "false" }
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType:
      return (value as? NSNumber).map { "\($0.int64Value)" }
    case .doubleAttributeType: return (value as? NSNumber).map { "\($0.doubleValue)" }
    case .floatAttributeType: return (value as? NSNumber).map { "\($0.floatValue)" }
    case .decimalAttributeType: return (value as? NSDecimalNumber).map { "\($0.decimalValue)" }
    case .dateAttributeType: return (value as? Date).flatMap(dateField)
    case .UUIDAttributeType: return (value as? UUID)?.uuidString
    case .URIAttributeType: return (value as? URL)?.absoluteString
    case .binaryDataAttributeType: return (value as? Data).map { "\($0.count):\(mark($0))" }
    case .stringAttributeType: return (value as? String).map(lines)
    default: return nil
    }
  }

  /// Returns a date in UTC in the format of date fields, with milliseconds; nil if the year does not have four digits.
  static func dateField(_ date: Date) -> String? {
    guard let text = ExactDate.text(date.timeIntervalSinceReferenceDate)?.dropLast() else { return nil }
    guard let dot = text.firstIndex(of: ".") else { return String(text) }
    return String(text[..<dot] + text[dot...].prefix(4))
  }

  /// Returns a text with line feeds as its only ends of lines: browsers send each end of a line as CR and LF.
  static func lines(_ text: String) -> String {
    text.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
  }

  /// Returns the FNV-1a hash of bytes, which tells versions of a value apart; it protects no secret.
  static func mark(_ bytes: some Sequence<UInt8>) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return String(hash, radix: 36)
  }

  /// Returns the text of a value in a list of changes or in a version of an object; nil for no value.
  static func shown(_ value: Any?, _ property: NSPropertyDescription, _ name: (NSManagedObject) -> String) -> String? {
    guard let value, !(value is NSNull) else { return nil }
    if (property as? NSAttributeDescription)?.isSecret == true { return "marked secret, not shown" }
    let text: String
    switch value {
    case let object as NSManagedObject: text = name(object)
    case let id as NSManagedObjectID: text = ObjectReference(id)?.description ?? "a new object"
    case let set as NSSet:
      text = set.allObjects.compactMap { ($0 as? NSManagedObject).map(name) }.sorted().joined(separator: ", ")
    case let set as NSOrderedSet:
      text = set.array.compactMap { ($0 as? NSManagedObject).map(name) }.joined(separator: ", ")
    case let date as Date:
      text = ExactDate.text(date.timeIntervalSinceReferenceDate) ?? "\(date.timeIntervalSinceReferenceDate)"
    case let data as Data: text = FigureText.count(data.count, "byte") + " (\(mark(data)))"
    case let values as [String: Any]:
      text = values.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ")
    case let text_ as String: text = text_
    default:
      guard let attribute = property as? NSAttributeDescription else { return "\(value)" }
      if attribute.attributeType == .transformableAttributeType { return "a transformable value" }
      text = self.text(value, attribute) ?? "\(value)"
    }
    return text.count > 500 ? text.prefix(500) + "…" : text
  }
}

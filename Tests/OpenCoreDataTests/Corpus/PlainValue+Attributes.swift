import CoreData
import Foundation

extension PlainValue {
  /// Whether this is what the file has for an attribute's value, by the rules of the format.
  func isStored(_ value: Any?, for attribute: NSAttributeDescription) -> Bool {
    switch (attribute.attributeType, self) {
    case (_, .null): return value == nil
    case (.integer16AttributeType, .integer(let stored)), (.integer32AttributeType, .integer(let stored)),
      (.integer64AttributeType, .integer(let stored)):
      return (value as? NSNumber)?.int64Value == stored
    case (.booleanAttributeType, .integer(let stored)): return (value as? NSNumber)?.boolValue == (stored != 0)
    case (.doubleAttributeType, .real(let stored)): return (value as? NSNumber)?.doubleValue == stored
    case (.doubleAttributeType, .integer(let stored)): return (value as? NSNumber)?.doubleValue == Double(stored)
    case (.floatAttributeType, .real(let stored)): return (value as? NSNumber)?.floatValue == Float(stored)
    case (.dateAttributeType, .real(let stored)): return (value as? Date)?.timeIntervalSinceReferenceDate == stored
    // Columns of that type keep whole numbers as integers.
    case (.dateAttributeType, .integer(let stored)):
      return (value as? Date)?.timeIntervalSinceReferenceDate == Double(stored)
    case (.decimalAttributeType, .integer(let stored)):
      return (value as? NSDecimalNumber)?.decimalValue == Decimal(stored)
    case (.decimalAttributeType, .real(let stored)):
      return (value as? NSDecimalNumber).flatMap { Double($0.stringValue) } == stored
    case (.stringAttributeType, .text(let stored)): return (value as? String).map { Data($0.utf8) } == stored
    case (.URIAttributeType, .text(let stored)): return (value as? URL).map { Data($0.absoluteString.utf8) } == stored
    case (.UUIDAttributeType, .blob(let stored)):
      return (value as? UUID).map { withUnsafeBytes(of: $0.uuid) { Data($0) } } == stored
    case (.binaryDataAttributeType, .blob(let stored)):
      guard attribute.allowsExternalBinaryDataStorage else { return value as? Data == stored }
      return stored.first == 1 && value as? Data == stored.dropFirst()
    case (.transformableAttributeType, .blob(let stored)):
      if CorpusTransformer.serves(attribute) { return (value as? String).map(CorpusTransformer.bytes) == stored }
      let classes = [NSArray.self, NSDictionary.self, NSString.self, NSNumber.self, NSDate.self, NSData.self]
      let object = try? NSKeyedUnarchiver.unarchivedObject(ofClasses: classes, from: stored)
      return (object as? NSObject)?.isEqual(value) ?? false
    default: return false
    }
  }
}

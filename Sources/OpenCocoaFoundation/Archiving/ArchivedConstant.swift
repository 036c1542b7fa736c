import Foundation

/// Encodes and decodes the constants of expressions in an archive.
enum ArchivedConstant {
  /// The name of a class; Apple's archives have a class as the target of a function.
  struct ClassName: Hashable, CustomStringConvertible {
    let name: String

    var description: String { name }

    /// The class that has the functions of the predicate language.
    static let functions = ClassName(name: "_NSPredicateUtilities")
  }

  /// The key that says whether a number without a fraction had a floating-point type. Foundation's archiver writes 2 and 2.0
  /// as one object, but a division by 2 and one by 2.0 differ. Apple's decoder ignores keys that it does not know.
  static let isRealKey = "OCDIsReal"
  /// The key of the truth value of a predicate that is an instance of Foundation's own class.
  static let valueKey = "OCDValue"

  static func encode(_ value: Any?, with coder: NSCoder) {
    if let name = value as? ClassName {
      coder.encode(name.name as NSString, forKey: "NSConstantValueClassName")
      return
    }
    let object = value.map(object)
    if let number = object as? NSNumber, number.doubleValue == number.doubleValue.rounded() {
      coder.encode(number.isFloating, forKey: isRealKey)
    }
    coder.encode(object, forKey: "NSConstantValue")
  }

  static func decode(_ coder: NSCoder) throws -> Any? {
    if coder.containsValue(forKey: "NSConstantValueClassName") {
      return ClassName(name: try coder.archived(String.self, "NSConstantValueClassName"))
    }
    let value = try coder.archivedObject("NSConstantValue").map(restored)
    guard let number = value as? NSNumber, !(number is NSDecimalNumber), coder.containsValue(forKey: isRealKey),
      coder.decodeBool(forKey: isRealKey) != number.isFloating
    else { return value }
    return number.isFloating ? Int64(exactly: number.doubleValue).map { $0 as NSNumber } ?? value : number.doubleValue
  }

  // MARK: Objects

  /// Returns the object that represents a value in an archive.
  private static func object(_ value: Any) -> NSObject {
    switch value {
    case let gathered as GatheredSet: return object(gathered.published)
    case let decimal as NSDecimalNumber: return ArchivedDecimal(decimal.decimalValue)
    case let decimal as Decimal: return ArchivedDecimal(decimal)
    case let part as NSPredicate: return ArchivedPart(part)
    case let part as NSExpression: return ArchivedPart(part)
    // The array is copied: an archiver would search a bridged Swift array once for each of its elements.
    case let array as NSArray: return NSArray(array: array.map(object))
    case let set as NSSet: return NSSet(array: set.allObjects.map(object))
    case let dictionary as NSDictionary:
      return NSDictionary(objects: dictionary.allValues.map(object), forKeys: dictionary.allKeys.map(object))
    case let object as NSObject where object is any NSSecureCoding: return object
    default:
      raise(
        .invalidArgument,
        "-[\(type(of: value)) encodeWithCoder:]: unrecognized selector sent to instance \(ValueText.of(value))")
    }
  }

  /// Returns the value that a decoded object represents.
  private static func restored(_ object: Any) -> Any {
    switch object {
    case let decimal as ArchivedDecimal: return NSDecimalNumber(decimal: decimal.value)
    case let array as NSArray: return array.map(restored)
    case let set as NSSet:
      let elements = set.allObjects.map(restored)
      // Foundation's sets cannot hold decimal numbers on this platform.
      return GatheredSet(elements, isDistinct: true).published
    case let dictionary as NSDictionary:
      return NSDictionary(
        objects: dictionary.allValues.map(restored), forKeys: dictionary.allKeys.compactMap { $0 as? NSObject })
    default: return object
    }
  }
}

/// A part of an archived predicate, wrapped so that it equals no other part. An archiver writes equal objects once, and takes
/// 1 and 1.0 for equal.
final class ArchivedPart: NSObject, NSSecureCoding {
  private let part: NSObject & NSCoding

  init(_ part: NSObject & NSCoding) { self.part = part }

  /// Returns nil: no archive holds objects of this class, because the archived object has the class of the part.
  required init?(coder: NSCoder) { nil }

  static var supportsSecureCoding: Bool { true }

  func encode(with coder: NSCoder) {
    StackRoom.extended { part.encode(with: coder) }
  }

  override var classForKeyedArchiver: AnyClass? { part.classForKeyedArchiver }
}

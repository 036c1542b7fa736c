import Foundation

/// Constants in an archive.
enum ArchivedConstant {
  /// A class, which Apple's functions have as target.
  struct ClassName: Hashable, CustomStringConvertible {
    let name: String

    var description: String { name }

    /// The class of the language's functions.
    static let functions = ClassName(name: "_NSPredicateUtilities")
  }

  /// Whether a whole number was a floating one: Foundation's archiver takes 2 and 2.0 for one object, and the quotients of
  /// the two differ. Apple's decoder passes over keys that it does not know.
  static let isRealKey = "OCDIsReal"
  /// The value of a predicate that Foundation's own class made.
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

  /// The object that an archiver is given for a value.
  private static func object(_ value: Any) -> NSObject {
    switch value {
    case let gathered as GatheredSet: return object(gathered.published)
    case let decimal as NSDecimalNumber: return ArchivedDecimal(decimal.decimalValue)
    case let decimal as Decimal: return ArchivedDecimal(decimal)
    case let part as NSPredicate: return ArchivedPart(part)
    case let part as NSExpression: return ArchivedPart(part)
    // A copy, since an array of Swift's would be looked through for each of its elements.
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

  /// The value of a decoded object.
  private static func restored(_ object: Any) -> Any {
    switch object {
    case let decimal as ArchivedDecimal: return NSDecimalNumber(decimal: decimal.value)
    case let array as NSArray: return array.map(restored)
    case let set as NSSet:
      let elements = set.allObjects.map(restored)
      // No set of Foundation's can hold decimal numbers here.
      return GatheredSet(elements, isDistinct: true).published
    case let dictionary as NSDictionary:
      return NSDictionary(
        objects: dictionary.allValues.map(restored), forKeys: dictionary.allKeys.compactMap { $0 as? NSObject })
    default: return object
    }
  }
}

/// A part of an archive with an identity of its own: an archiver writes equal objects only once, and treats 1 and 1.0 as
/// equal.
final class ArchivedPart: NSObject, NSSecureCoding {
  private let part: NSObject & NSCoding

  init(_ part: NSObject & NSCoding) { self.part = part }

  /// Nothing is decoded: an archive names the class of the part.
  required init?(coder: NSCoder) { nil }

  static var supportsSecureCoding: Bool { true }

  func encode(with coder: NSCoder) {
    StackRoom.extended { part.encode(with: coder) }
  }

  override var classForKeyedArchiver: AnyClass? { part.classForKeyedArchiver }
}

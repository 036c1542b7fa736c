import Foundation

/// The fields that an archived object of a class must have, so that Foundation decodes it without stopping the program.
enum ArchivedShape {
  /// A predicate, an expression, an operator or a sort descriptor.
  case part
  case array
  case dictionary
  /// Another value, with the contents of its fields.
  case value([String: Field])

  enum Field {
    case number
    /// Bytes; their number, or nil if any number is allowed.
    case bytes(Int?)
    /// A text, or a reference to an object.
    case text
    case object
  }

  /// Makes the shape of a class whose objects a predicate may contain; nil for other classes.
  init?(_ className: String) {
    switch className {
    case "NSArray", "NSMutableArray", "NSSet", "NSMutableSet": self = .array
    case "NSDictionary", "NSMutableDictionary": self = .dictionary
    case "NSOrderedSet", "NSMutableOrderedSet": self = .value([:])
    case "NSString", "NSMutableString": self = .value(["NS.string": .text])
    case "NSData", "NSMutableData": self = .value(["NS.data": .bytes(nil)])
    case "NSDate": self = .value(["NS.time": .number])
    case "NSUUID": self = .value(["NS.uuidbytes": .bytes(16)])
    case "NSURL": self = .value(["NS.base": .object, "NS.relative": .text])
    case "NSNull": self = .value([:])
    case "NSDecimalNumber", "NSDecimalNumberPlaceholder", NSStringFromClass(ArchivedDecimal.self):
      self = .value([
        "NS.mantissa": .bytes(nil), "NS.exponent": .number, "NS.length": .number, "NS.negative": .number,
        "NS.mantissa.bo": .number,
      ])
    case "NSPredicate", "NSSortDescriptor": self = .part
    default:
      guard ArchivedClasses.readers[className] != nil else { return nil }
      self = .part
    }
  }

  /// Checks that an object has this shape, and throws an `ArchiveProblem` if not.
  func check(_ fields: [String: Any], _ className: String) throws {
    let isRight =
      switch self {
      case .part:
        fields.allSatisfy { key, value in
          Self.numbers.contains(key) ? value is NSNumber : Self.reference(value) != nil
        }
      case .array: Self.references(fields["NS.objects"]) != nil
      case .dictionary:
        Self.references(fields["NS.keys"]).map { $0.count == Self.references(fields["NS.objects"])?.count } ?? false
      case .value(let shape): shape.allSatisfy { key, field in field.isRight(fields[key]) }
      }
    guard isRight else { throw ArchiveProblem("The archived \(className) is damaged.") }
  }

  /// The keys of predicates and their parts whose values are numbers; all others refer to objects.
  private static let numbers: Set<String> = [
    "NSExpressionType", "NSModifier", "NSOperatorType", "NSOptions", "NSFlags", "NSVariant", "NSNegate", "NSPosition",
    "NSCompoundPredicateType", "NSAscending", "NSReverseNullOrder", "NSCountOnlyFlag", ArchivedConstant.isRealKey,
    ArchivedConstant.valueKey,
  ]

  /// Returns the number of the object that a value refers to; nil if the value is no reference.
  static func reference(_ value: Any) -> Int? {
    guard String(describing: type(of: value)) == "_NSKeyedArchiverUID" else { return nil }
    return (Mirror(reflecting: value).descendant("value") as? UInt32).map(Int.init)
  }

  private static func references(_ value: Any?) -> [Int]? {
    guard let values = value as? [Any] else { return nil }
    let references = values.compactMap(reference)
    return references.count == values.count ? references : nil
  }
}

extension ArchivedShape.Field {
  fileprivate func isRight(_ value: Any?) -> Bool {
    switch self {
    case .number: value is NSNumber
    case .bytes(let count): (value as? Data).map { count == nil || $0.count == count } ?? false
    case .text: value is String || value.flatMap(ArchivedShape.reference) != nil
    case .object: value.flatMap(ArchivedShape.reference) != nil
    }
  }
}

import Foundation

/// A value in the form that comparisons use.
package enum Operand {
  /// nil and NSNull.
  case null
  case number(ExactNumber)
  /// A string, or the text of a URL, which a store saves in this form.
  case string(String)
  /// A date in seconds since 2001, which is the value that a store saves. It can be compared with numbers.
  case date(Double)
  case uuid(UUID)
  case data(Data)
  case collection([Any], isOrdered: Bool)
  /// A dictionary, whose elements are its values for IN and CONTAINS.
  case dictionary([AnyHashable: Any])
  case object(NSObject)
  /// Any other Swift value.
  case other(Any)

  /// Makes an operand of a value of any type.
  package init(_ value: Any?) {
    guard let value else {
      self = .null
      return
    }
    if let string = exactString(value) {
      self = .string(string)
    } else if let object = instance(value) {
      self.init(object)
    } else if let plain = Operand.plain(value) {
      self = plain
    } else if value is any NestedOptional {
      self.init(unwrapped(value))
    } else {
      self = Operand.uncommon(value)
    }
  }

  private init(_ object: NSObject) {
    switch object {
    case let string as NSString: self = .string(String(string))
    case let number as NSNumber: self = .number(ExactNumber(number))
    case is NSNull: self = .null
    case let date as NSDate: self = .date(date.timeIntervalSinceReferenceDate)
    case let uuid as NSUUID: self = .uuid(uuid as UUID)
    case let data as NSData: self = .data(Data(referencing: data))
    case let url as NSURL: self = .string(url.absoluteString)
    default:
      if let dictionary = entries(of: object) {
        self = .dictionary(dictionary)
      } else if let elements = elements(of: object) {
        self = .collection(elements, isOrdered: isOrdered(object))
      } else {
        self = .object(object)
      }
    }
  }

  /// Makes an operand of a value of a frequent Swift type; nil for other types. The metatypes are compared, which is much faster
  /// than casts.
  private static func plain(_ value: Any) -> Operand? {
    switch ObjectIdentifier(type(of: value)) {
    case ObjectIdentifier(Int.self): (value as? Int).map { .number(.integer(Int64($0))) }
    case ObjectIdentifier(Int64.self): (value as? Int64).map { .number(.integer($0)) }
    case ObjectIdentifier(Int32.self): (value as? Int32).map { .number(.integer(Int64($0))) }
    case ObjectIdentifier(Int16.self): (value as? Int16).map { .number(.integer(Int64($0))) }
    case ObjectIdentifier(Bool.self): (value as? Bool).map { .number(.integer($0 ? 1 : 0)) }
    case ObjectIdentifier(Double.self): (value as? Double).map { .number(.real($0)) }
    case ObjectIdentifier(Float.self): (value as? Float).map { .number(.real(Double($0))) }
    case ObjectIdentifier(Decimal.self): (value as? Decimal).map { .number(.decimal($0)) }
    case ObjectIdentifier(Date.self): (value as? Date).map { .date($0.timeIntervalSinceReferenceDate) }
    case ObjectIdentifier(UUID.self): (value as? UUID).map(Operand.uuid)
    case ObjectIdentifier(Data.self): (value as? Data).map(Operand.data)
    case ObjectIdentifier(URL.self): (value as? URL).map { .string($0.absoluteString) }
    default: nil
    }
  }

  private static func uncommon(_ value: Any) -> Operand {
    if let dictionary = entries(of: value) { return .dictionary(dictionary) }
    if let elements = elements(of: value) { return .collection(elements, isOrdered: isOrdered(value)) }
    switch value {
    case let text as Substring: return .string(String(text))
    case let number as NSNumber: return .number(ExactNumber(number))
    case let raw as any RawRepresentable:
      guard let number = raw.rawValue as? NSNumber else { return .other(value) }
      return .number(ExactNumber(number))
    default: return .other(value)
    }
  }

  package var isNull: Bool {
    if case .null = self { true } else { false }
  }

  /// The text for the string operators: that of a string or a number; nil for other values.
  package var text: String? {
    switch self {
    case .string(let string): string
    case .number(let number): number.text
    default: nil
    }
  }
}

extension Operand: CustomStringConvertible {
  /// The value for messages.
  package var description: String {
    switch self {
    case .null: "nil"
    case .number(let number): number.text
    case .string(let string): "\"\(string)\""
    case .date(let seconds): ValueText.of(Date(timeIntervalSinceReferenceDate: seconds))
    case .uuid(let uuid): uuid.uuidString
    case .data(let data): "\(data)"
    case .collection(let elements, _): ValueText.of(elements)
    case .dictionary(let values): ValueText.of(values)
    case .object(let object): ValueText.of(object)
    case .other(let value): ValueText.of(value)
    }
  }
}

/// An object that also equals another object in comparisons: a managed object equals its object ID.
package protocol PredicateIdentity: AnyObject {
  /// The object that this object is compared by, if the two objects are not equal themselves.
  var predicateIdentity: NSObject { get }
  /// Whether `predicateIdentity` cannot change. The ID of a managed object changes when the object is first saved.
  var isIdentityLasting: Bool { get }
  /// The condition that an object, which is of this class, is of another one; nil if no store can tell.
  static func condition(that object: NSExpression, isOf type: Any.Type) -> NSPredicate?
}

extension PredicateIdentity {
  package static func condition(that object: NSExpression, isOf type: Any.Type) -> NSPredicate? { nil }
}

/// A value that stands for an object of a store: its ID.
package protocol ObjectIdentity {}

/// The name under which a value transformer is registered.
public struct NSValueTransformerName: RawRepresentable, Hashable, Sendable {
  /// The text of the name, which models contain.
  public var rawValue: String

  /// Makes a name of its text.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// Makes a name of its text.
  public init(_ rawValue: String) {
    self.rawValue = rawValue
  }
}

extension NSValueTransformerName {
  /// The name of a transformer that turns a truth value into its opposite.
  public static let negateBooleanTransformerName = NSValueTransformerName("NSNegateBoolean")

  /// The name of a transformer that tells whether a value is nil.
  public static let isNilTransformerName = NSValueTransformerName("NSIsNil")

  /// The name of a transformer that tells whether a value is not nil.
  public static let isNotNilTransformerName = NSValueTransformerName("NSIsNotNil")

  /// The name of a transformer that decodes objects from archives without keys.
  ///
  /// Differs from Apple (D-ARC-08): such archives cannot be read here, so no transformer is registered under this name.
  @available(*, deprecated, message: "Use secureUnarchiveFromDataTransformerName.")
  public static let unarchiveFromDataTransformerName = NSValueTransformerName("NSUnarchiveFromData")

  /// The name of a transformer that decodes objects of any class from keyed archives.
  @available(*, deprecated, message: "Use secureUnarchiveFromDataTransformerName.")
  public static let keyedUnarchiveFromDataTransformerName = NSValueTransformerName("NSKeyedUnarchiveFromData")

  /// The name of a transformer that decodes objects of allowed classes from keyed archives.
  public static let secureUnarchiveFromDataTransformerName = NSValueTransformerName("NSSecureUnarchiveFromData")
}

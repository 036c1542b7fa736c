/// The name under which a value transformer is registered.
public struct NSValueTransformerName: RawRepresentable, Hashable, Sendable {
  /// The text of the name, as models hold it.
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
  /// Turns a truth value into its opposite.
  public static let negateBooleanTransformerName = NSValueTransformerName("NSNegateBoolean")

  /// Tells whether a value is nil.
  public static let isNilTransformerName = NSValueTransformerName("NSIsNil")

  /// Tells whether there is a value.
  public static let isNotNilTransformerName = NSValueTransformerName("NSIsNotNil")

  /// Makes objects of archives that have no keys.
  ///
  /// Differs from Apple (D-ARC-08): such archives cannot be read here, so no transformer is registered under this name.
  @available(*, deprecated, message: "Use secureUnarchiveFromDataTransformerName.")
  public static let unarchiveFromDataTransformerName = NSValueTransformerName("NSUnarchiveFromData")

  /// Makes objects of any class out of keyed archives.
  @available(*, deprecated, message: "Use secureUnarchiveFromDataTransformerName.")
  public static let keyedUnarchiveFromDataTransformerName = NSValueTransformerName("NSKeyedUnarchiveFromData")

  /// Makes objects of known classes out of keyed archives.
  public static let secureUnarchiveFromDataTransformerName = NSValueTransformerName("NSSecureUnarchiveFromData")
}

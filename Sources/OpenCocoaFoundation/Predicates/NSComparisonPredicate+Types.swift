extension NSComparisonPredicate {
  /// How a comparison treats a left side that is a collection.
  public enum Modifier: UInt, Sendable {
    /// The left side is compared as it is.
    case direct = 0
    /// Every element of the left side must satisfy the comparison; an empty collection satisfies it.
    case all = 1
    /// One element of the left side, at least, must satisfy the comparison.
    case any = 2
  }

  /// The operator of a comparison, with Apple's raw values.
  public enum Operator: UInt, Sendable {
    /// `<`
    case lessThan = 0
    /// `<=`
    case lessThanOrEqualTo = 1
    /// `>`
    case greaterThan = 2
    /// `>=`
    case greaterThanOrEqualTo = 3
    /// `==`
    case equalTo = 4
    /// `!=`
    case notEqualTo = 5
    /// `MATCHES`: a regular expression that covers the whole string.
    case matches = 6
    /// `LIKE`: `*` stands for any run of characters, `?` for one.
    case like = 7
    /// `BEGINSWITH`
    case beginsWith = 8
    /// `ENDSWITH`
    case endsWith = 9
    /// `IN`: the left side is an element, or a substring, of the right side.
    case `in` = 10
    /// A method of the application's compares. No predicate here has it, since methods cannot be called by name: making
    /// one stops the program, reading an archive of one is an error. It is declared for switches over all operators.
    case customSelector = 11
    /// `CONTAINS`: the right side is an element, or a substring, of the left side.
    case contains = 99
    /// `BETWEEN`: the left side lies between the two elements of the right side, bounds included.
    case between = 100
  }

  /// How strings are compared.
  public struct Options: OptionSet, Sendable, Hashable {
    /// The bits of the options, with Apple's values.
    public let rawValue: UInt

    /// Makes options of their bits.
    public init(rawValue: UInt) {
      self.rawValue = rawValue
    }

    /// `[c]`: upper and lower case are the same.
    public static let caseInsensitive = Options(rawValue: 1)
    /// `[d]`: letters are the same with and without diacritical marks.
    public static let diacriticInsensitive = Options(rawValue: 2)
    /// `[n]`: the strings are normalised already and are compared as they are.
    public static let normalized = Options(rawValue: 4)
    /// `[l]`: strings are ordered as the current locale orders them.
    package static let localeSensitive = Options(rawValue: 8)
    /// `[w]`: wide and narrow forms of a character are the same.
    package static let widthInsensitive = Options(rawValue: 16)
  }
}

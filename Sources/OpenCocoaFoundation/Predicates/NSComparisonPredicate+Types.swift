extension NSComparisonPredicate {
  /// How a comparison treats a left side that is a collection.
  public enum Modifier: UInt, Sendable {
    /// The left side is compared as it is.
    case direct = 0
    /// Every element of the left side must satisfy the comparison; an empty collection satisfies it.
    case all = 1
    /// At least one element of the left side must satisfy the comparison.
    case any = 2
  }

  /// The operator of a comparison, with Apple's raw values. If an operator cannot compare two values, for example a text and a
  /// number, a fetch throws 134060; elsewhere the program stops.
  public enum Operator: UInt, Sendable {
    /// `<`, of numbers, dates and text. It is false if a side is nil.
    case lessThan = 0
    /// `<=`
    case lessThanOrEqualTo = 1
    /// `>`
    case greaterThan = 2
    /// `>=`
    case greaterThanOrEqualTo = 3
    /// `==`; nil equals nil, and numbers of every type are compared by value.
    case equalTo = 4
    /// `!=`; nil differs from every value, in SQL, too.
    ///
    /// ```swift
    /// let request = NSFetchRequest<Entry>(entityName: "Entry")  // none of the three has a text
    /// request.predicate = NSPredicate(format: "text != 'x'")
    /// print(try context.count(for: request))  // 3
    /// print(NSPredicate(format: "text < 'x'").evaluate(with: try context.fetch(request)[0]))  // false
    /// request.predicate = NSPredicate(format: "text < 'x'")
    /// print(try context.count(for: request))  // 0
    /// ```
    case notEqualTo = 5
    /// `MATCHES`: a regular expression that covers the whole string.
    case matches = 6
    /// `LIKE`: `*` stands for any run of characters, `?` for one.
    case like = 7
    /// `BEGINSWITH`: the text on the left begins with that on the right. Without options SQL can use an index for it.
    case beginsWith = 8
    /// `ENDSWITH`: the text on the left ends with that on the right. SQL has to read every row for it.
    case endsWith = 9
    /// `IN`: the left side is an element, or a substring, of the right side.
    case `in` = 10
    /// A method of the application compares. No predicate has this operator here, because methods cannot be called by name:
    /// making such a predicate stops the program, and decoding one is an error. The case exists for switches over all operators.
    case customSelector = 11
    /// `CONTAINS`: the right side is an element, or a substring, of the left side.
    case contains = 99
    /// `BETWEEN`: the left side lies between the two elements of the right side, bounds included.
    case between = 100
  }

  /// How strings are compared: `[c]`, `[d]` and `[n]` after an operator. Without options, strings are compared by their Unicode
  /// scalars; unlike in Swift, composed and decomposed letters differ.
  public struct Options: OptionSet, Sendable, Hashable {
    /// The bits of the options, with Apple's values.
    public let rawValue: UInt

    /// Makes options of their bits.
    public init(rawValue: UInt) {
      self.rawValue = rawValue
    }

    /// `[c]`: upper-case and lower-case letters are equal.
    public static let caseInsensitive = Options(rawValue: 1)
    /// `[d]`: letters are equal with and without diacritical marks.
    public static let diacriticInsensitive = Options(rawValue: 2)
    /// `[n]`: the strings are already normalised, and are compared without regard to the other options.
    public static let normalized = Options(rawValue: 4)
    /// `[l]`: strings are compared in the order of the current locale.
    package static let localeSensitive = Options(rawValue: 8)
    /// `[w]`: wide and narrow forms of a character are equal.
    package static let widthInsensitive = Options(rawValue: 16)
  }
}

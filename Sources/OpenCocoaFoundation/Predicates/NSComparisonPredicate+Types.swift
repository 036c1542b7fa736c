extension NSComparisonPredicate {
  /// How a comparison treats a left side that is a collection.
  public enum Modifier: UInt, Sendable {
    /// The left side is compared unchanged, without `ANY` or `ALL`.
    case direct = 0
    /// Every element of the left side must satisfy the comparison; an empty collection satisfies it.
    case all = 1
    /// One element of the left side, at least, must satisfy the comparison.
    case any = 2
  }

  /// The operator of a comparison, with Apple's raw values. Values that an operator does not compare, as a text and a
  /// number, are 134060 of a fetch, and stop the program elsewhere.
  public enum Operator: UInt, Sendable {
    /// `<`, of numbers, dates and text. Nothing is less than nil, and nil less than nothing.
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
    /// `LIKE`: `*` stands for any characters, `?` for one character.
    case like = 7
    /// `BEGINSWITH`: the text on the left begins with that on the right. Without options SQL can use an index for it.
    case beginsWith = 8
    /// `ENDSWITH`: the text on the left ends with that on the right; every row is looked at.
    case endsWith = 9
    /// `IN`: the left side is an element, or a substring, of the right side.
    case `in` = 10
    /// A method of the application compares. No predicate here has this operator, since methods cannot be called by name:
    /// making one stops the program, and reading an archive of one is an error. It is declared for switches over all
    /// operators.
    case customSelector = 11
    /// `CONTAINS`: the right side is an element, or a substring, of the left side.
    case contains = 99
    /// `BETWEEN`: the left side lies between the two elements of the right side, bounds included.
    case between = 100
  }

  /// How strings are compared: `[c]`, `[d]` and `[n]` behind an operator. Without options, strings are compared character by
  /// character, as in Swift.
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

import Foundation

extension NSPredicate {
  /// Makes the predicate that a format describes, such as `"name BEGINSWITH[c] %@ AND age > %d"`.
  ///
  /// Stops the program when the format is none; for text from outside use `init(parsing:arguments:)`.
  ///
  /// - Parameters:
  ///   - predicateFormat: The format.
  ///   - args: The values of its conversions: `%@` a value or a collection, `%K` a key path, `%d` and others a number.
  public convenience init(format predicateFormat: String, _ args: Any?...) {
    self.init(_factory: NSPredicate.required(predicateFormat, args))
  }

  /// Makes the predicate that a format describes, with its arguments in an array.
  ///
  /// Stops the program when the format is none; for text from outside use `init(parsing:arguments:)`.
  public convenience init(format predicateFormat: String, argumentArray arguments: [Any]?) {
    self.init(_factory: NSPredicate.required(predicateFormat, arguments ?? []))
  }

  /// Makes the predicate that a format describes, with its arguments in a C list as `withVaList` makes it.
  ///
  /// Stops the program when the format is none. As in C, what the list holds must be what the format says: objects for
  /// `%@` and `%K`, `Int` for `%ld`, `Int32` for `%d`, `Double` for `%f`; nothing can check it.
  public convenience init(format predicateFormat: String, arguments argList: CVaListPointer) {
    self.init(
      _factory: NSPredicate.required(predicateFormat, try ArgumentList.values(of: predicateFormat, from: argList)))
  }

  /// Makes the predicate that a format describes, or tells why it is none.
  ///
  /// This is the way in for formats that a user typed or that came from a file.
  ///
  /// - Parameters:
  ///   - format: The format.
  ///   - arguments: The values of its conversions.
  /// - Throws: `OCDPredicateFormatError` with the place and what was expected there.
  public convenience init(parsing format: String, arguments: [Any?] = []) throws {
    try self.init(_factory: FormatParser.predicate(format, arguments: arguments))
  }

  private static func required(_ format: String, _ arguments: @autoclosure () throws -> [Any?]) -> NSPredicate {
    do {
      return try FormatParser.predicate(format, arguments: arguments())
    } catch {
      raise(.invalidArgument, "\(error)")
    }
  }
}

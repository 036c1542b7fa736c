import Foundation

extension NSPredicate {
  /// Makes the predicate that a format describes, such as `"name BEGINSWITH[c] %@ AND age > %d"`.
  ///
  /// Parsing costs some microseconds, and a store prepares a statement for each predicate that it has not seen: make it
  /// once and use it often, with `$NAME` variables that `withSubstitutionVariables(_:)` fills in where the value
  /// changes.
  ///
  /// ```swift
  /// let request = NSFetchRequest<Entry>(entityName: "Entry")
  /// request.predicate = NSPredicate(format: "%K > %d AND ANY tags.name IN %@", "words", 100, ["swift", "home"])
  /// print(try context.fetch(request).map { $0.title ?? "" })  // ["Wednesday"]
  /// ```
  ///
  /// A value is put in by `%@` without quotes; `'%@'` in quotes is the text "%@". A key path is put in by `%K`. To-many
  /// relationships want ANY, ALL, NONE or SUBQUERY; a plain `tags.name == 'swift'` means ANY.
  ///
  /// Stops the program when the format is none, naming the place; for text from outside use
  /// ``Foundation/NSPredicate/init(parsing:arguments:)``.
  ///
  /// Differs from Apple (D-PRE-01): arguments are `Any?`, which Strings and numbers of Swift are without a cast.
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

  /// Makes the predicate that a format describes, or tells why it is none. Not in Apple's framework (D-EXT-19).
  ///
  /// This is the way in for formats that a user typed or that came from a file. Evaluate what comes from outside by
  /// `evaluateChecked(with:substitutionVariables:)`, which throws where `evaluate(with:)` stops the program.
  ///
  /// ```swift
  /// do {
  ///   _ = try NSPredicate(parsing: "words > AND rating == 1")
  /// } catch let error as OCDPredicateFormatError {
  ///   print(error.line, error.column)  // 1 9
  /// }
  /// ```
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

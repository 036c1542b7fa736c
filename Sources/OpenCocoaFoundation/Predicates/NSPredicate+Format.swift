import Foundation

extension NSPredicate {
  /// Makes the predicate that a format describes, such as `"name BEGINSWITH[c] %@ AND age > %d"`.
  ///
  /// A format that comes again is not parsed again, and a store takes the statement of a fetch that differed in the arguments alone,
  /// so a program may make its predicates anew each time. A predicate that is made once and used often takes the least time; in
  /// one, write `$NAME` for a value that changes, and replace it with `withSubstitutionVariables(_:)`.
  ///
  /// ```swift
  /// let request = NSFetchRequest<Entry>(entityName: "Entry")
  /// request.predicate = NSPredicate(format: "%K > %d AND ANY tags.name IN %@", "words", 100, ["swift", "home"])
  /// print(try context.fetch(request).map { $0.title ?? "" })  // ["Wednesday"]
  /// ```
  ///
  /// `%@` without quotes stands for a value; `'%@'` in quotes is the text "%@". `%K` stands for a key path. A condition on a
  /// to-many relationship needs ANY, ALL, NONE or SUBQUERY; `tags.name == 'swift'` without one of them means ANY.
  ///
  /// Stops the program when the format is not valid, with the place in the message. For text from outside use
  /// ``Foundation/NSPredicate/init(parsing:arguments:)``.
  ///
  /// Differs from Apple (D-PRE-01): arguments are `Any?`, so that Swift strings and numbers need no cast.
  /// - Parameters:
  ///   - predicateFormat: The format.
  ///   - args: The values for its conversions: a value or a collection for `%@`, a key path for `%K`, a number for `%d` and others.
  public convenience init(format predicateFormat: String, _ args: Any?...) {
    self.init(_factory: NSPredicate.required(predicateFormat, args))
  }

  /// Makes the predicate that a format describes, with its arguments in an array.
  ///
  /// Stops the program when the format is not valid; for text from outside use `init(parsing:arguments:)`.
  public convenience init(format predicateFormat: String, argumentArray arguments: [Any]?) {
    self.init(_factory: NSPredicate.required(predicateFormat, arguments ?? []))
  }

  /// Makes the predicate that a format describes, with its arguments in a C list that `withVaList` makes.
  ///
  /// Stops the program when the format is not valid. As in C, the arguments in the list must have the types that the format says:
  /// objects for `%@` and `%K`, `Int` for `%ld`, `Int32` for `%d`, `Double` for `%f`. This cannot be checked.
  public convenience init(format predicateFormat: String, arguments argList: CVaListPointer) {
    self.init(
      _factory: NSPredicate.required(predicateFormat, try ArgumentList.values(of: predicateFormat, from: argList)))
  }

  /// Makes the predicate that a format describes, or throws an error if the format is not valid. Not in Apple's framework
  /// (D-EXT-19).
  ///
  /// Use this initialiser for formats that a user typed or that came from a file. Evaluate such predicates with
  /// `evaluateChecked(with:substitutionVariables:)`, which throws an error where `evaluate(with:)` stops the program.
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
  /// - Throws: `OCDPredicateFormatError`, which says the place of the error and what was expected there.
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

import Foundation

extension NSExpression {
  /// Makes the expression that a format describes, such as `"price * %d"`. The rules are those of predicate formats.
  ///
  /// ```swift
  /// let expression = NSExpression(format: "max:(words) - min:(words)")
  /// let range = NSExpressionDescription()
  /// (range.name, range.expression, range.expressionResultType) = ("range", expression, .integer64AttributeType)
  /// let request = NSFetchRequest<[String: Any]>(entityName: "Entry")
  /// request.resultType = .dictionaryResultType
  /// request.propertiesToFetch = [range]
  /// print(try context.fetch(request).first?["range"] as? Int ?? 0)  // 120
  /// ```
  ///
  /// Stops the program when the format is not valid; for text from outside use ``init(parsing:arguments:)``.
  public convenience init(format expressionFormat: String, _ args: Any?...) {
    self.init(_factory: NSExpression.required(expressionFormat, args))
  }

  /// Makes the expression that a format describes, with its arguments in an array.
  ///
  /// Stops the program when the format is not valid; for text from outside use `init(parsing:arguments:)`.
  public convenience init(format expressionFormat: String, argumentArray arguments: [Any]) {
    self.init(_factory: NSExpression.required(expressionFormat, arguments))
  }

  /// Makes the expression that a format describes, with its arguments in a C list that `withVaList` makes.
  ///
  /// Stops the program when the format is not valid. As in C, the arguments in the list must have the types that the format
  /// says; this cannot be checked.
  public convenience init(format expressionFormat: String, arguments argList: CVaListPointer) {
    self.init(
      _factory: NSExpression.required(expressionFormat, try ArgumentList.values(of: expressionFormat, from: argList)))
  }

  /// Makes the expression that a format describes, or throws an error if the format is not valid.
  ///
  /// - Throws: `OCDPredicateFormatError`, which says the place of the error and what was expected there.
  public convenience init(parsing format: String, arguments: [Any?] = []) throws {
    try self.init(_factory: FormatParser.expression(format, arguments: arguments))
  }

  private static func required(_ format: String, _ arguments: @autoclosure () throws -> [Any?]) -> NSExpression {
    do {
      return try FormatParser.expression(format, arguments: arguments())
    } catch {
      raise(.invalidArgument, "\(error)")
    }
  }
}

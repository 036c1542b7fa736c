import Foundation

extension NSExpression {
  /// Makes an expression of a value: a number, a text, a date, a managed object or its ID, or a collection of such values. In
  /// SQL the value is bound as a variable, never pasted into the text.
  ///
  /// ```swift
  /// let predicate = NSComparisonPredicate(
  ///   leftExpression: NSExpression(forKeyPath: "rating"), rightExpression: NSExpression(forConstantValue: [3, 5]),
  ///   modifier: .direct, type: .in)
  /// let request = NSFetchRequest<Entry>(entityName: "Entry")
  /// request.predicate = predicate
  /// print(try context.count(for: request))  // 2
  /// ```
  /// - Parameter obj: the value; nil and NSNull mean the same as `nil` in a format.
  public convenience init(forConstantValue obj: Any?) {
    self.init(node: .constant(unwrapped(obj)))
  }

  /// Returns the expression for the object that is evaluated, `SELF`.
  public class func expressionForEvaluatedObject() -> NSExpression {
    NSExpression(node: .evaluatedObject)
  }

  /// Makes an expression of a variable, named without its dollar sign.
  public convenience init(forVariable string: String) {
    self.init(node: .variable(string))
  }

  /// Makes an expression of a key path from the object that is evaluated: an attribute, a path through relationships, or a
  /// path with a collection operator such as `pages.@count`.
  ///
  /// ```swift
  /// let pages = NSExpression(forKeyPath: "pages.@count")
  /// print(pages.expressionValue(with: try fetchEntry("Monday", in: context), context: nil) as? Int ?? 0)  // 2
  /// ```
  ///
  /// Whether the keys exist is checked only when the expression is evaluated: if a key does not exist, a fetch throws 134060;
  /// elsewhere the program stops.
  /// - Parameter keyPath: keys with points between them; a key that is a keyword of the format language needs no `#` here.
  public convenience init(forKeyPath keyPath: String) {
    self.init(node: .keyPath(keyPath, operand: nil))
  }

  /// Makes an expression of a Swift key path, which the compiler checks, under the name that it is registered with.
  ///
  /// ```swift
  /// print(NSExpression(forKeyPath: \Entry.words))  // words
  /// ```
  ///
  /// Stops the program when the key path has no name; see `OCDRegisterKeyPath(_:name:)`. The key paths of managed classes that
  /// a build plugin has processed have names (D-KVC-16).
  public convenience init<Root, Value>(forKeyPath keyPath: KeyPath<Root, Value>) {
    self.init(forKeyPath: KeyPathNames.requiredName(of: keyPath))
  }

  /// Makes an expression of a function, such as `sum:` or `multiply:by:`. In a column of a fetch, `sum:`, `count:`,
  /// `min:`, `max:` and `average:` of an attribute are aggregates of the group; other functions are computed for each row.
  ///
  /// ```swift
  /// let average = NSExpressionDescription()
  /// average.name = "average"
  /// average.expression = NSExpression(forFunction: "average:", arguments: [NSExpression(forKeyPath: "rating")])
  /// average.expressionResultType = .doubleAttributeType
  /// let request = NSFetchRequest<[String: Any]>(entityName: "Entry")
  /// request.resultType = .dictionaryResultType
  /// request.propertiesToFetch = [average]
  /// print(try context.fetch(request).first?["average"] as? Double ?? 0)  // 4.0
  /// ```
  ///
  /// Stops the program if there is no such function, or if it does not accept this number of arguments.
  ///
  /// - Parameters:
  ///   - name: The selector of the function:
  ///     `sum: count: min: max: average: median: mode: stddev: add:to: from:subtract: multiply:by: divide:by: modulus:by: sqrt: raise:toPower: abs: floor: ceiling: trunc: uppercase: lowercase: canonical: length: now`
  ///     and more; the guide has the list.
  ///   - parameters: Expressions; any other value is a constant.
  public convenience init(forFunction name: String, arguments parameters: [Any]) {
    guard ExpressionFunction(rawValue: name)?.takes(parameters.count) == true else {
      stop(for: ExpressionFunction.unsupported(name))
    }
    self.init(node: .function(name, target: nil, arguments: parameters.map(NSExpression.argument)))
  }

  /// Makes an expression of a method of the target's value.
  ///
  /// - Parameters:
  ///   - target: The expression whose value the method belongs to.
  ///   - name: The selector of the method.
  ///   - parameters: Expressions; any other value is a constant.
  public convenience init(forFunction target: NSExpression, selectorName name: String, arguments parameters: [Any]?) {
    self.init(node: .function(name, target: target, arguments: (parameters ?? []).map(NSExpression.argument)))
  }

  /// Makes a collection of expressions, as in `{1, 2, 3}`.
  public convenience init(forAggregate subexpressions: [NSExpression]) {
    self.init(node: .aggregate(subexpressions))
  }

  /// Makes an expression of the elements that are in at least one of two collections.
  public convenience init(forUnionSet left: NSExpression, with right: NSExpression) {
    self.init(node: .unionSet(left, right))
  }

  /// Makes an expression of the elements that are in both of two collections.
  public convenience init(forIntersectSet left: NSExpression, with right: NSExpression) {
    self.init(node: .intersectSet(left, right))
  }

  /// Makes an expression of the elements of the left collection that are not in the right one.
  public convenience init(forMinusSet left: NSExpression, with right: NSExpression) {
    self.init(node: .minusSet(left, right))
  }

  /// Makes an expression of the elements of a collection that satisfy a predicate.
  ///
  /// - Parameters:
  ///   - expression: The collection.
  ///   - variable: The name of the variable that stands for the element in the predicate, with or without its dollar sign.
  ///   - predicate: The predicate that an element must satisfy.
  public convenience init(
    forSubquery expression: NSExpression, usingIteratorVariable variable: String, predicate: NSPredicate
  ) {
    let name = variable.hasPrefix("$") ? String(variable.dropFirst()) : variable
    self.init(node: .subquery(collection: expression, variable: name, predicate: predicate))
  }

  /// Returns the expression for any key.
  public class func expressionForAnyKey() -> NSExpression {
    NSExpression(node: .anyKey)
  }

  /// Makes an expression of a block, which receives the object, the arguments and the context.
  public convenience init(
    block: @escaping (Any?, [NSExpression], NSMutableDictionary?) -> Any, arguments: [NSExpression]?
  ) {
    self.init(node: .block(block, arguments: arguments))
  }

  /// Makes an expression whose value is that of one of two expressions, chosen by a predicate.
  public convenience init(
    forConditional predicate: NSPredicate, trueExpression: NSExpression, falseExpression: NSExpression
  ) {
    self.init(node: .conditional(predicate, trueExpression, falseExpression))
  }

  private static func argument(_ value: Any) -> NSExpression {
    value as? NSExpression ?? NSExpression(forConstantValue: value)
  }
}

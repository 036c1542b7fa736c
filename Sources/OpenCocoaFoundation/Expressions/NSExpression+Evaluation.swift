import Foundation

extension NSExpression {
  /// Returns the value of the expression for an object, with the values of variables in `bindings`. The expression may be an
  /// instance of a subclass.
  func value(with object: Any?, bindings: [String: Any]) throws -> Any? {
    guard type(of: self) != NSExpression.self, type(of: self) != NSFetchRequestExpression.self else {
      return try evaluated(with: object, bindings: bindings)
    }
    let object = GatheredSet.published(object)
    // An instance of another subclass evaluates itself.
    let context = NSMutableDictionary()
    for (key, value) in bindings { context[key] = value }
    return try EvaluatorQuestion.ask(self) { expressionValue(with: object, context: context) }
  }

  /// Returns the value for clients: a Foundation collection where the evaluator has a `GatheredSet`.
  func published(with object: Any?, context: NSMutableDictionary?) throws -> Any? {
    var bindings: [String: Any] = [:]
    if let context { for (key, value) in context { if let key = key as? String { bindings[key] = value } } }
    let value = try evaluated(with: object, bindings: bindings)
    // The result of a subquery is an array, whatever type its collection has.
    if case .subquery = node { return elements(of: value) }
    return GatheredSet.published(value)
  }

  /// Returns the value for an object, for use by the evaluator: a collection that is gathered from a set may be a
  /// `GatheredSet`.
  func evaluated(with object: Any?, bindings: [String: Any]) throws -> Any? {
    try StackRoom.check()
    switch node {
    case .constant(let value): return value
    case .evaluatedObject: return object
    case .variable(let name): return try variable(name, in: bindings, for: object)
    case .keyPath(let path, let operand):
      let target = try operand.map { try $0.value(with: object, bindings: bindings) } ?? object
      return try keys.isEmpty
        ? KeyValueCoding.gathered(from: target, forKey: path)
        : KeyValueCoding.gathered(from: target, forKeys: keys[...])
    case .function(let name, let target, let arguments):
      let values = try arguments.map { try $0.value(with: object, bindings: bindings) }
      if let target {
        let target = GatheredSet.published(try target.value(with: object, bindings: bindings))
        return try MethodCalls.call(name, on: target, values.map(GatheredSet.published))
      }
      return try ExpressionFunction.call(name, values)
    case .unionSet(let left, let right):
      return try combined(left, right, object, bindings) { $0.union($1) }
    case .intersectSet(let left, let right):
      return try combined(left, right, object, bindings) { $0.intersection($1) }
    case .minusSet(let left, let right):
      return try combined(left, right, object, bindings) { $0.subtracting($1) }
    case .subquery(let collection, let variable, let predicate):
      return try filtered(
        collection.value(with: object, bindings: bindings), variable, predicate, object, bindings)
    case .aggregate(let expressions):
      return try expressions.map { try $0.value(with: object, bindings: bindings) ?? NSNull() }
    case .anyKey:
      throw OCDEvaluationError("ANYKEY can be evaluated only by the store that defines it (D-PRE-09)")
    case .block(let block, let arguments):
      return block(object, arguments ?? [], NSMutableDictionary(dictionary: bindings))
    case .fetch(let request, let context, let countOnly):
      let request = try request.value(with: object, bindings: bindings)
      guard let context = try context.value(with: object, bindings: bindings) as? any FetchEvaluating else {
        throw OCDEvaluationError("The context of \(self) is not a managed object context.")
      }
      return try context.evaluateFetch(request, countOnly: countOnly)
    case .conditional(let predicate, let first, let second):
      let chosen = try predicate.holds(for: object, bindings) ? first : second
      return try chosen.value(with: object, bindings: bindings)
    }
  }

  private func variable(_ name: String, in bindings: [String: Any], for object: Any?) throws -> Any? {
    guard let value = bindings[name] else {
      throw OCDEvaluationError("Can't get value for '\(name)' in bindings \(ValueText.of(bindings)).")
    }
    if let expression = value as? NSExpression { return try expression.value(with: object, bindings: bindings) }
    return isNull(value) ? nil : value
  }

  private func filtered(
    _ collection: Any?, _ variable: String, _ predicate: NSPredicate, _ object: Any?, _ bindings: [String: Any]
  ) throws -> Any? {
    guard let collection = unwrapped(collection), !isNull(collection) else { return [Any]() }
    guard let elements = elements(of: collection) else {
      throw OCDEvaluationError(
        "Can't perform a subquery on something that is not a collection: \(ValueText.of(collection))")
    }
    var bindings = bindings
    let found = try elements.filter { element in
      bindings[variable] = element
      // Within a subquery, SELF is still the object outside of it; the variable stands for the element.
      return try predicate.holds(for: object, bindings)
    }
    return isOrdered(collection) ? found : GatheredSet(found, isDistinct: true)
  }

  private func combined(
    _ left: NSExpression, _ right: NSExpression, _ object: Any?, _ bindings: [String: Any],
    _ combine: (Set<Operand>, Set<Operand>) -> Set<Operand>
  ) throws -> Any? {
    let values = try [left, right].map { expression -> [Any] in
      let value = try expression.value(with: object, bindings: bindings)
      guard let elements = elements(of: value) else {
        throw OCDEvaluationError("bad argument for set expression: \(expression) is not a collection")
      }
      return elements
    }
    let kept = combine(Set(values[0].map { Operand($0) }), Set(values[1].map { Operand($0) }))
    let all = Aggregates.distinct(values[0] + values[1])
    return GatheredSet(all.filter { kept.contains(Operand($0)) }, isDistinct: true)
  }
}

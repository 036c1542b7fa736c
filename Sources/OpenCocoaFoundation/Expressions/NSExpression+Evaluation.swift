import Foundation

extension NSExpression {
  /// The value for an object, with variables bound.
  func value(with object: Any?, bindings: [String: Any]) -> Any? {
    guard type(of: self) != NSExpression.self else { return evaluated(with: object, bindings: bindings) }
    let object = GatheredSet.published(object)
    // A subclass evaluates itself.
    let context = NSMutableDictionary()
    for (key, value) in bindings { context[key] = value }
    return expressionValue(with: object, context: context)
  }

  /// The value for an object as the evaluator has it: what is gathered from a set may be a `GatheredSet`.
  func evaluated(with object: Any?, bindings: [String: Any]) -> Any? {
    switch node {
    case .constant(let value): return value
    case .evaluatedObject: return object
    case .variable(let name): return variable(name, in: bindings, for: object)
    case .keyPath(let path, let operand):
      let target = operand.map { $0.value(with: object, bindings: bindings) } ?? object
      return keys.isEmpty
        ? KeyValueCoding.gathered(from: target, forKey: path)
        : KeyValueCoding.gathered(from: target, forKeys: keys[...])
    case .function(let name, let target, let arguments):
      let values = arguments.map { $0.value(with: object, bindings: bindings) }
      if let target {
        let target = GatheredSet.published(target.value(with: object, bindings: bindings))
        return MethodCalls.call(name, on: target, values.map(GatheredSet.published))
      }
      return ExpressionFunctions.call(name, values)
    case .unionSet(let left, let right):
      return combined(left, right, object, bindings) { $0.union($1) }
    case .intersectSet(let left, let right):
      return combined(left, right, object, bindings) { $0.intersection($1) }
    case .minusSet(let left, let right):
      return combined(left, right, object, bindings) { $0.subtracting($1) }
    case .subquery(let collection, let variable, let predicate):
      return filtered(
        collection.value(with: object, bindings: bindings), variable, predicate, object, bindings)
    case .aggregate(let expressions):
      return expressions.map { $0.value(with: object, bindings: bindings) ?? NSNull() }
    case .anyKey:
      raise(.invalidArgument, "ANYKEY can be evaluated only by the store that defines it (D-PRE-09)")
    case .block(let block, let arguments):
      return block(object, arguments ?? [], NSMutableDictionary(dictionary: bindings))
    case .fetch(let request, let context, let countOnly):
      let request = request.value(with: object, bindings: bindings)
      guard let context = context.value(with: object, bindings: bindings) as? any FetchEvaluating else {
        raise(.invalidArgument, "The context of \(self) is not a managed object context.")
      }
      return context.evaluateFetch(request, countOnly: countOnly)
    case .conditional(let predicate, let first, let second):
      let chosen = predicate.evaluate(with: object, substitutionVariables: bindings) ? first : second
      return chosen.value(with: object, bindings: bindings)
    }
  }

  private func variable(_ name: String, in bindings: [String: Any], for object: Any?) -> Any? {
    guard let value = bindings[name] else {
      raise(.invalidArgument, "Can't get value for '\(name)' in bindings \(bindings).")
    }
    if let expression = value as? NSExpression { return expression.value(with: object, bindings: bindings) }
    return value is NSNull ? nil : value
  }

  private func filtered(
    _ collection: Any?, _ variable: String, _ predicate: NSPredicate, _ object: Any?, _ bindings: [String: Any]
  ) -> Any? {
    guard let collection = unwrapped(collection), !(collection is NSNull) else { return [Any]() }
    guard let elements = elements(of: collection) else {
      raise(.invalidArgument, "Can't perform a subquery on something that is not a collection: \(collection)")
    }
    var bindings = bindings
    let found = elements.filter { element in
      bindings[variable] = element
      // Within a subquery, SELF is still the object outside; the element goes by its variable.
      return predicate.evaluate(with: object, substitutionVariables: bindings)
    }
    return isOrdered(collection) ? found : GatheredSet(found, isDistinct: true)
  }

  private func combined(
    _ left: NSExpression, _ right: NSExpression, _ object: Any?, _ bindings: [String: Any],
    _ combine: (Set<Operand>, Set<Operand>) -> Set<Operand>
  ) -> Any? {
    let values = [left, right].map { expression -> [Any] in
      let value = expression.value(with: object, bindings: bindings)
      guard let elements = elements(of: value) else {
        raise(.invalidArgument, "bad argument for set expression: \(expression) is not a collection")
      }
      return elements
    }
    let kept = combine(Set(values[0].map { Operand($0) }), Set(values[1].map { Operand($0) }))
    let all = Aggregates.distinct(values[0] + values[1])
    return GatheredSet(all.filter { kept.contains(Operand($0)) }, isDistinct: true)
  }
}

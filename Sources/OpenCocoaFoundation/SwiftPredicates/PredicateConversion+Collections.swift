import Foundation

extension PredicateExpressions.SequenceContains: ConvertibleExpression {
  func convert(_ conversion: inout PredicateConversion) throws -> ConvertedExpression {
    let collection = try conversion.expression(sequence)
    let element = try conversion.expression(element)
    let type: Any.Type = LHS.Output.self
    if PredicateConversion.isText(type) { return .predicate(.comparison(collection, .contains, element)) }
    guard type is any ElementCollection.Type else { throw OCDConversionError.notACollection("contains", of: type) }
    let contains = NSPredicate.comparison(element, .in, collection)
    guard RHS.Output.self is any NestedOptional.Type else { return .predicate(contains) }
    // IN never finds nil, so nil needs a condition of its own.
    guard case .constant(let value) = collection.node, let values = elements(of: value) else {
      throw OCDConversionError(
        .type, "`contains` of an Optional", "is not known of a collection that is no constant",
        instead: "Ask for nil by itself: `value != nil && collection.contains(value!)`.")
    }
    return .predicate(values.contains { isNull($0) } ? .or(contains, .isNil(element, true)) : contains)
  }
}

extension PredicateExpressions.SequenceContainsWhere: ConvertibleExpression {
  func convert(_ conversion: inout PredicateConversion) throws -> ConvertedExpression {
    let found = try conversion.subquery("contains(where:)", sequence, variable.key) { try $0.predicate(test) }
    return .predicate(.comparison(found.appending("@count"), .notEqualTo, NSExpression(forConstantValue: 0)))
  }
}

extension PredicateExpressions.SequenceAllSatisfy: ConvertibleExpression {
  func convert(_ conversion: inout PredicateConversion) throws -> ConvertedExpression {
    let found = try conversion.subquery("allSatisfy", sequence, variable.key) { try $0.predicate(test).negated }
    return .predicate(.comparison(found.appending("@count"), .equalTo, NSExpression(forConstantValue: 0)))
  }
}

extension PredicateExpressions.Filter: ConvertibleExpression {
  func convert(_ conversion: inout PredicateConversion) throws -> ConvertedExpression {
    .expression(try conversion.subquery("filter", sequence, variable.key) { try $0.predicate(filter) })
  }
}

extension PredicateExpressions.SequenceMinimum: ConvertibleExpression {
  func convert(_ conversion: inout PredicateConversion) throws -> ConvertedExpression {
    .expression(try conversion.extreme("@min.self", of: elements))
  }
}

extension PredicateExpressions.SequenceMaximum: ConvertibleExpression {
  func convert(_ conversion: inout PredicateConversion) throws -> ConvertedExpression {
    .expression(try conversion.extreme("@max.self", of: elements))
  }
}

extension PredicateConversion {
  /// Makes an expression of the elements of a collection that satisfy a predicate.
  fileprivate mutating func subquery<E: PredicateExpression>(
    _ call: String, _ collection: E, _ variable: PredicateExpressions.VariableID,
    _ predicate: (inout PredicateConversion) throws -> NSPredicate
  ) throws -> NSExpression where E.Output: Sequence {
    let type: Any.Type = E.Output.self
    guard type is any ElementCollection.Type else { throw OCDConversionError.notACollection(call, of: type) }
    let collection = try expression(collection)
    let name = local()
    variables[variable] = NSExpression(forVariable: name)
    return NSExpression(forSubquery: collection, usingIteratorVariable: name, predicate: try predicate(&self))
  }

  fileprivate mutating func extreme<E: PredicateExpression>(_ key: String, of elements: E) throws -> NSExpression
  where E.Output: Sequence {
    let type: Any.Type = E.Output.self
    guard type is any ElementCollection.Type else {
      throw OCDConversionError.notACollection(key == "@min.self" ? "min" : "max", of: type)
    }
    guard Self.isOrdered(E.Output.Element.self) else { throw OCDConversionError.unordered(E.Output.Element.self) }
    return try expression(elements).appending(key)
  }
}

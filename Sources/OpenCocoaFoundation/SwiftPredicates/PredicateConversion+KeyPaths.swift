import Foundation

extension PredicateExpressions.Variable: ConvertibleExpression {
  func convert(_ conversion: inout PredicateConversion) throws -> ConvertedExpression {
    guard let expression = conversion.variables[key] else { throw UnconvertibleExpression() }
    return .expression(expression)
  }
}

extension PredicateExpressions.KeyPath: ConvertibleExpression {
  func convert(_ conversion: inout PredicateConversion) throws -> ConvertedExpression {
    // A property of a constant is a constant itself, even if the object that has the property cannot be a constant of a predicate.
    if let object = try? root.evaluate(PredicateBindings()) {
      return .expression(NSExpression(forConstantValue: try PredicateConversion.constant(object[keyPath: keyPath])))
    }
    let root = try conversion.expression(root)
    if let kind = kind ?? kindOfDictionary { return try Self.convert(kind, of: root) }
    guard let name = KeyPathNames.name(of: keyPath) else { throw UnconvertibleExpression() }
    return .expression(root.appending(name))
  }

  /// The kind of a key path of a dictionary. It is found here because Foundation's `kind` is nil for dictionaries.
  private var kindOfDictionary: CommonKeyPathKind? {
    guard let type = Root.Output.self as? any KeyedCollection.Type else { return nil }
    return keyPath == type.countKeyPath ? .collectionCount : keyPath == type.isEmptyKeyPath ? .collectionIsEmpty : nil
  }

  private static func convert(_ kind: CommonKeyPathKind, of root: NSExpression) throws -> ConvertedExpression {
    let isText = PredicateConversion.isText(Root.Output.self)
    let type: Any.Type = Root.Output.self
    switch kind {
    case .collectionCount, .collectionIsEmpty:
      guard isText || type is any ElementCollection.Type || type is any KeyedCollection.Type else {
        throw UnconvertibleExpression()
      }
      let count = root.appending(isText ? "length" : "@count")
      if kind == .collectionCount { return .expression(count) }
      return .predicate(.comparison(count, .equalTo, NSExpression(forConstantValue: 0)))
    case .collectionFirst, .bidirectionalCollectionLast:
      guard type is any ElementCollection.Type, type is any BidirectionalCollection.Type else {
        throw UnconvertibleExpression()
      }
      let symbol = kind == .collectionFirst ? IndexSymbol.first : .last
      return .expression(root.element(at: NSExpression(forConstantValue: symbol)))
    @unknown default: throw UnconvertibleExpression()
    }
  }
}

extension PredicateExpressions.CollectionIndexSubscript: ConvertibleExpression {
  func convert(_ conversion: inout PredicateConversion) throws -> ConvertedExpression {
    let type: Any.Type = Wrapped.Output.self
    guard type is any ElementCollection.Type, Index.Output.self == Int.self else { throw UnconvertibleExpression() }
    return .expression(try conversion.expression(wrapped).element(at: try conversion.expression(index)))
  }
}

extension PredicateExpressions.DictionaryKeySubscript: ConvertibleExpression {
  func convert(_ conversion: inout PredicateConversion) throws -> ConvertedExpression {
    guard Key.Output.self == String.self else { throw UnconvertibleExpression() }
    return .expression(try conversion.expression(wrapped).element(at: try conversion.expression(key)))
  }
}

extension PredicateExpressions.DictionaryKeyDefaultValueSubscript: ConvertibleExpression {
  func convert(_ conversion: inout PredicateConversion) throws -> ConvertedExpression {
    guard Key.Output.self == String.self else { throw UnconvertibleExpression() }
    let value = try conversion.expression(wrapped).element(at: try conversion.expression(key))
    return .expression(value.coalesced(with: try conversion.expression(`default`)))
  }
}

/// A dictionary of any type.
private protocol KeyedCollection {
  static var countKeyPath: AnyKeyPath { get }
  static var isEmptyKeyPath: AnyKeyPath { get }
}

extension Dictionary: KeyedCollection {
  fileprivate static var countKeyPath: AnyKeyPath { \Self.count }
  fileprivate static var isEmptyKeyPath: AnyKeyPath { \Self.isEmpty }
}

extension NSExpression {
  /// Makes an expression of an element of a collection, which a format writes as `(SELF.key)[index]`.
  fileprivate func element(at index: NSExpression) -> NSExpression {
    var collection = self
    if case .keyPath(let path, nil) = node {
      collection = NSExpression(node: .keyPath(path, operand: NSExpression.expressionForEvaluatedObject()))
    }
    return NSExpression(forFunction: "objectFrom:withIndex:", arguments: [collection, index])
  }
}

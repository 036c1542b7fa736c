import Foundation

extension PredicateExpressions.Variable: ConvertibleExpression {
  func convert(_ conversion: inout PredicateConversion) throws -> ConvertedExpression {
    guard let expression = conversion.variables[key] else {
      throw OCDConversionError(
        .function, "A variable", "belongs to no closure around it", instead: "Use the argument of the closure.")
    }
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
    if namesTheRoot { return .expression(root) }
    if let kind = kind ?? kindOfDictionary { return try Self.convert(kind, of: root) }
    guard let name = KeyPathNames.name(of: keyPath) else { throw OCDConversionError.unnamed(keyPath) }
    return .expression(root.appending(name))
  }

  /// Whether the value stands for the root itself: the ID of an object, or the raw value of an enumeration, which is what
  /// is stored.
  private var namesTheRoot: Bool {
    if type(of: keyPath).valueType is any ObjectIdentity.Type { return Root.Output.self is any PredicateIdentity.Type }
    guard let type = Root.Output.self as? any RawRepresentable.Type else { return false }
    return Self.isRawValue(keyPath, of: type)
  }

  /// Whether a key path leads to the raw value of an enumeration. A key path of the enumeration itself is another one than that
  /// of the protocol, so that what it gives is looked at: of the first case, and of all cases that can be had.
  private static func isRawValue<Value: RawRepresentable>(_ keyPath: AnyKeyPath, of type: Value.Type) -> Bool {
    guard let keyPath = keyPath as? Swift.KeyPath<Value, Value.RawValue>, _isPOD(type) else { return false }
    var cases = (type as? any CaseIterable.Type)?.every as? [Value] ?? []
    if cases.isEmpty, MemoryLayout<Value>.size == 1 {
      // The first case of an enumeration without payloads has the bits 0, as has the empty set of options.
      cases = [withUnsafeBytes(of: UInt8(0)) { $0.loadUnaligned(as: Value.self) }]
    }
    return !cases.isEmpty && cases.allSatisfy { "\($0[keyPath: keyPath])" == "\($0.rawValue)" }
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
        throw OCDConversionError.notACollection(kind == .collectionCount ? "count" : "isEmpty", of: type)
      }
      let count = root.appending(isText ? "length" : "@count")
      if kind == .collectionCount { return .expression(count) }
      return .predicate(.comparison(count, .equalTo, NSExpression(forConstantValue: 0)))
    case .collectionFirst, .bidirectionalCollectionLast:
      guard type is any ElementCollection.Type, type is any BidirectionalCollection.Type else {
        throw OCDConversionError.notACollection(kind == .collectionFirst ? "first" : "last", of: type)
      }
      let symbol = kind == .collectionFirst ? IndexSymbol.first : .last
      return .expression(root.element(at: NSExpression(forConstantValue: symbol)))
    @unknown default:
      throw OCDConversionError(
        .function, "The property \(kind) of a collection", "has no counterpart in a store",
        instead: "Use `count`, `isEmpty`, `first` or `last`.")
    }
  }
}

extension PredicateExpressions.CollectionIndexSubscript: ConvertibleExpression {
  func convert(_ conversion: inout PredicateConversion) throws -> ConvertedExpression {
    let type: Any.Type = Wrapped.Output.self
    guard type is any ElementCollection.Type, Index.Output.self == Int.self else {
      throw OCDConversionError.notACollection("[index]", of: type)
    }
    return .expression(try conversion.expression(wrapped).element(at: try conversion.expression(index)))
  }
}

extension PredicateExpressions.DictionaryKeySubscript: ConvertibleExpression {
  func convert(_ conversion: inout PredicateConversion) throws -> ConvertedExpression {
    guard Key.Output.self == String.self else { throw OCDConversionError.notATextKey(Key.Output.self) }
    return .expression(try conversion.expression(wrapped).element(at: try conversion.expression(key)))
  }
}

extension PredicateExpressions.DictionaryKeyDefaultValueSubscript: ConvertibleExpression {
  func convert(_ conversion: inout PredicateConversion) throws -> ConvertedExpression {
    guard Key.Output.self == String.self else { throw OCDConversionError.notATextKey(Key.Output.self) }
    let value = try conversion.expression(wrapped).element(at: try conversion.expression(key))
    return .expression(value.coalesced(with: try conversion.expression(`default`)))
  }
}

extension OCDConversionError {
  /// The error of a dictionary whose keys are no strings.
  fileprivate static func notATextKey(_ type: Any.Type) -> OCDConversionError {
    OCDConversionError(
      .type, "A key of the type \(type)", "cannot be looked up by a store",
      instead: "Use a dictionary with strings as keys.")
  }
}

extension CaseIterable {
  fileprivate static var every: Any { Array(allCases) }
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

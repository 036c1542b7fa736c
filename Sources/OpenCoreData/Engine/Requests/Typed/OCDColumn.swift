import Foundation
import OpenCocoaFoundation

import class OpenCocoaFoundation.NSExpression

/// A column of a typed fetch of values: an attribute, or an aggregate of the objects of a group.
///
/// ```swift
/// let groups = try context.fetch(Entry.self, .value(\.isPinned), .count)
/// for (isPinned, count) in groups where isPinned { print(count) }  // 1
/// ```
///
/// Not in Apple's framework (D-EXT-30).
public struct OCDColumn<Object: NSManagedObject, Value> {
  /// Makes the expression. It fails for a property without a name.
  let expression: () throws -> NSExpression
  let isAggregate: Bool
  /// The type that the store is asked for.
  let type: NSAttributeType

  /// The value of an attribute, or of an attribute of an object that a to-one relationship leads to.
  public static func value(_ keyPath: KeyPath<Object, Value>) -> Self {
    Self(keyPath, nil, ColumnValue.type(Value.self))
  }

  /// The least value; nil where the group has none.
  public static func min<Wrapped>(_ keyPath: KeyPath<Object, Wrapped>) -> Self where Value == Wrapped? {
    Self(keyPath, "min:", ColumnValue.type(Wrapped.self))
  }

  /// The least value of an optional attribute; nil where no object of the group has one.
  public static func min<Wrapped>(_ keyPath: KeyPath<Object, Wrapped?>) -> Self where Value == Wrapped? {
    Self(keyPath, "min:", ColumnValue.type(Wrapped.self))
  }

  /// The greatest value; nil where the group has none.
  public static func max<Wrapped>(_ keyPath: KeyPath<Object, Wrapped>) -> Self where Value == Wrapped? {
    Self(keyPath, "max:", ColumnValue.type(Wrapped.self))
  }

  /// The greatest value of an optional attribute; nil where no object of the group has one.
  public static func max<Wrapped>(_ keyPath: KeyPath<Object, Wrapped?>) -> Self where Value == Wrapped? {
    Self(keyPath, "max:", ColumnValue.type(Wrapped.self))
  }

  private init(_ keyPath: AnyKeyPath, _ function: String?, _ type: NSAttributeType) {
    expression = {
      guard let name = KeyPathNames.name(of: keyPath) else { throw OCDConversionError.unnamed(keyPath) }
      let path = NSExpression(forKeyPath: name)
      return function.map { NSExpression(forFunction: $0, arguments: [path]) } ?? path
    }
    isAggregate = function != nil
    self.type = type
  }
}

extension OCDColumn where Value == Int {
  /// The number of objects of the group.
  public static var count: Self {
    Self(
      expression: { NSExpression(forFunction: "count:", arguments: [NSExpression.expressionForEvaluatedObject()]) },
      isAggregate: true, type: .integer64AttributeType)
  }

  private init(expression: @escaping () throws -> NSExpression, isAggregate: Bool, type: NSAttributeType) {
    (self.expression, self.isAggregate, self.type) = (expression, isAggregate, type)
  }
}

extension OCDColumn where Value: Numeric {
  /// The sum of the values; 0 where the group has none.
  public static func sum(_ keyPath: KeyPath<Object, Value>) -> Self {
    Self(keyPath, "sum:", ColumnValue.type(Value.self))
  }

  /// The sum of the values of an optional attribute; 0 where no object of the group has one.
  public static func sum(_ keyPath: KeyPath<Object, Value?>) -> Self {
    Self(keyPath, "sum:", ColumnValue.type(Value.self))
  }
}

extension OCDColumn where Value == Double? {
  /// The mean of the values; nil where the group has none.
  public static func average<Number: Numeric>(_ keyPath: KeyPath<Object, Number>) -> Self {
    Self(keyPath, "average:", .doubleAttributeType)
  }

  /// The mean of the values of an optional attribute; nil where no object of the group has one.
  public static func average<Number: Numeric>(_ keyPath: KeyPath<Object, Number?>) -> Self {
    Self(keyPath, "average:", .doubleAttributeType)
  }
}

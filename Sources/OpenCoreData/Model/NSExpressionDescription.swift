import CocoaFoundation

import class CocoaFoundation.NSExpression

/// A column of a fetch request's result that is computed, such as the sum of an attribute. Never part of an entity.
public final class NSExpressionDescription: NSPropertyDescription, @unchecked Sendable {
  /// What the column holds.
  public var expression: NSExpression? { willSet { willModify() } }

  /// The type of the column's values.
  public var expressionResultType: NSAttributeType = .undefinedAttributeType { willSet { willModify() } }

  /// The type of the column's values, in the form of newer SDKs; the same as `expressionResultType`.
  public var resultType: NSAttributeDescription.AttributeType {
    get { NSAttributeDescription.AttributeType(rawValue: expressionResultType) }
    set { expressionResultType = newValue.rawValue }
  }

  override func detachedCopy() -> NSPropertyDescription {
    let copy = NSExpressionDescription()
    copyFields(to: copy)
    return copy
  }

  override func copyFields(to copy: NSPropertyDescription) {
    super.copyFields(to: copy)
    guard let copy = copy as? NSExpressionDescription else { return }
    copy.expression = expression
    copy.expressionResultType = expressionResultType
  }

  override func hasEqualFields(_ other: NSPropertyDescription) -> Bool {
    guard super.hasEqualFields(other), let other = other as? NSExpressionDescription else { return false }
    return expression == other.expression && expressionResultType == other.expressionResultType
  }
}

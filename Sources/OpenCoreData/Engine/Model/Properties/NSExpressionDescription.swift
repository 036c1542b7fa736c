import Foundation
import OpenCocoaFoundation

import class OpenCocoaFoundation.NSExpression

/// A column that a fetch computes from others. It is no property of an entity: declaring it as one stops the program.
open class NSExpressionDescription: NSPropertyDescription, @unchecked Sendable {
  /// The expression that is computed.
  public final var expression: NSExpression? { willSet { willModify() } }

  /// The type of the result.
  public final var expressionResultType: NSAttributeType = .undefinedAttributeType { willSet { willModify() } }

  /// The type of the result, in the form of newer SDKs; the same as `expressionResultType`.
  public final var resultType: NSAttributeDescription.AttributeType {
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

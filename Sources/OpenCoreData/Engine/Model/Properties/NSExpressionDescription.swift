import Foundation
import OpenCocoaFoundation

import class OpenCocoaFoundation.NSExpression

/// A column that a fetch of dictionaries computes: an aggregate of a group, or an expression of each row. It is no
/// property of an entity: declaring it as one stops the program.
///
/// ```swift
/// let longest = NSExpressionDescription()
/// longest.name = "longest"
/// longest.expression = NSExpression(forFunction: "max:", arguments: [NSExpression(forKeyPath: "words")])
/// longest.expressionResultType = .integer32AttributeType
/// let request = NSFetchRequest<[String: Any]>(entityName: "Entry")
/// request.resultType = .dictionaryResultType
/// request.propertiesToFetch = [longest]
/// print(try context.fetch(request).first?["longest"] as? Int ?? 0)  // 200
/// ```
///
/// The store computes it: no object is made, and unsaved changes have no part in it. A name or an expression that is
/// missing, and what SQL cannot say (D-PRE-11), are 134060 of the fetch.
///
/// See also ``NSFetchRequest/propertiesToFetch``, ``NSFetchRequest/propertiesToGroupBy``.
open class NSExpressionDescription: NSPropertyDescription, @unchecked Sendable {
  /// The expression that is computed, over the attributes of the row; nil, as at first, is 134060 of the fetch unless
  /// the name is an attribute's.
  public final var expression: NSExpression? { willSet { willModify() } }

  /// The type of the result, by which it comes into the dictionary: a date, say, and not its seconds. Undefined at
  /// first, which gives what the expression makes of itself: name the type for sums and averages of anything but plain
  /// numbers.
  ///
  /// ```swift
  /// let first = NSExpressionDescription()
  /// first.name = "first"
  /// first.expression = NSExpression(format: "min:(date)")
  /// first.expressionResultType = .dateAttributeType
  /// let request = NSFetchRequest<[String: Any]>(entityName: "Entry")
  /// request.resultType = .dictionaryResultType
  /// request.propertiesToFetch = [first]
  /// print(try context.fetch(request).first?["first"] is Date)  // true
  /// ```
  ///
  /// See also ``resultType``, which is the same under its newer name.
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

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
/// The store computes the value: no object is made, and unsaved changes are ignored. The fetch fails with 134060 if the
/// name or the expression is missing, or if SQL cannot express it (D-PRE-11).
///
/// See also ``NSFetchRequest/propertiesToFetch``, ``NSFetchRequest/propertiesToGroupBy``.
open class NSExpressionDescription: NSPropertyDescription, @unchecked Sendable {
  /// The expression that is computed from the attributes of the row. It is nil at first; the fetch then fails with
  /// 134060, unless the name is the name of an attribute.
  public final var expression: NSExpression? { willSet { willModify() } }

  /// The type of the result, which determines the class of the value in the dictionary: for example a date, and not its
  /// seconds. It is undefined at first, and the type then follows from the expression. Set the type for sums and
  /// averages of anything but plain numbers.
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

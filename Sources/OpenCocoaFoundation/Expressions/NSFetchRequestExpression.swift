import Foundation

/// The type of an expression whose value is the result of a fetch request.
public let NSFetchRequestExpressionType = NSExpression.ExpressionType.fetchRequest

// Sendable unchecked: nothing changes after the initialiser.
/// An expression whose value is the result of a fetch request: `FETCH(request, context, countOnly)` in a format.
open class NSFetchRequestExpression: NSExpression, @unchecked Sendable {
  /// Makes an expression of a fetch request.
  ///
  /// - Parameters:
  ///   - fetch: The expression whose value is the request.
  ///   - context: The expression whose value is the managed object context that executes the request.
  ///   - countFlag: Whether the value is the number of objects instead of the objects.
  open class func expression(
    forFetch fetch: NSExpression, context: NSExpression, countOnly countFlag: Bool
  ) -> NSExpression {
    NSFetchRequestExpression(node: .fetch(request: fetch, context: context, countOnly: countFlag))
  }

  /// The expression whose value is the fetch request.
  open var requestExpression: NSExpression { parts.request }

  /// The expression whose value is the managed object context that executes the request.
  open var contextExpression: NSExpression { parts.context }

  /// Whether the value is the number of objects instead of the objects.
  open var isCountOnlyRequest: Bool { parts.countOnly }

  private var parts: (request: NSExpression, context: NSExpression, countOnly: Bool) {
    if case .fetch(let request, let context, let countOnly) = node { return (request, context, countOnly) }
    raise(.invalidArgument, "This is not an expression of a fetch request: \(self)")
  }
}

/// An object that executes the request of a `FETCH`: a managed object context.
package protocol FetchEvaluating {
  /// Returns the objects that a fetch request fetches, or their number.
  ///
  /// - Throws: The errors of the fetch; `OCDEvaluationError` if `request` is no fetch request.
  func evaluateFetch(_ request: Any?, countOnly: Bool) throws -> Any?
}

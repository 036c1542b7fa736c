import Foundation
import OpenCocoaFoundation

extension NSManagedObjectContext {
  package func evaluateFetch(_ request: Any?, countOnly: Bool) throws -> Any? {
    guard let request = request as? any RunnableFetch else {
      throw OCDEvaluationError("The request of a FETCH is not a fetch request: \(ValueText.of(request))")
    }
    return try request.result(in: self, countOnly: countOnly)
  }
}

/// A fetch request of any result type, as a context runs it.
protocol RunnableFetch: AnyFetchRequest {
  /// The result of the request in a context, or only the number of objects.
  func result(in context: NSManagedObjectContext, countOnly: Bool) throws -> Any
}

extension NSFetchRequest {
  func result(in context: NSManagedObjectContext, countOnly: Bool) throws -> Any {
    try countOnly ? NSNumber(value: context.count(for: self)) : context.fetch(self)
  }

  /// Runs the request in the context whose queue the caller is on: the innermost one that a `perform` or
  /// `performAndWait` has entered.
  ///
  /// Differs from Apple (D-FET-03): on the main thread outside of a block it throws, since it is not known which context
  /// is meant. Where a context is at hand, use ``NSManagedObjectContext/fetch(_:)-(NSFetchRequest<ResultType>)``.
  ///
  /// ```swift
  /// let titles = try context.performAndWait {
  ///   try NSFetchRequest<Entry>(entityName: "Entry").execute().compactMap(\.title)
  /// }
  /// print(titles.sorted())  // ["Monday", "Tuesday", "Wednesday"]
  /// ```
  /// - Throws: what `NSManagedObjectContext.fetch(_:)` throws; 134060 when the caller is inside no context.
  public final func execute() throws -> [ResultType] {
    guard let context = ContextStack.innermostContext else {
      throw NSError(
        coreData: NSCoreDataError, "execute() works inside perform or performAndWait of a context; none is entered.")
    }
    return try context.fetch(self)
  }
}

import Foundation
import OpenCocoaFoundation

extension NSManagedObjectContext: FetchEvaluating {
  package func evaluateFetch(_ request: Any?, countOnly: Bool) throws -> Any? {
    guard let request = request as? any RunnableFetch else {
      throw OCDEvaluationError("The request of a FETCH is not a fetch request: \(ValueText.of(request))")
    }
    return try request.result(in: self, countOnly: countOnly)
  }
}

extension NSManagedObjectContext {
  /// Whether there is anything, here or in the contexts above, that the store does not have.
  final var hasUnsavedChanges: Bool { nesting.hasChanges.load(ordering: .acquiring) || ancestorsHaveChanges }
}

/// A fetch request of any result type, as a context runs it.
protocol RunnableFetch: AnyFetchRequest {
  /// The result of the request in a context, or only the number of objects.
  func result(in context: NSManagedObjectContext, countOnly: Bool) throws -> Any
}

extension NSFetchRequest: RunnableFetch {
  func result(in context: NSManagedObjectContext, countOnly: Bool) throws -> Any {
    try countOnly ? NSNumber(value: context.count(for: self)) : context.fetch(self)
  }

  /// Runs the request in the context whose queue the caller is on.
  /// - Throws: what `NSManagedObjectContext.fetch(_:)` throws; an error when the caller is inside no context.
  public final func execute() throws -> [ResultType] {
    guard let context = NSManagedObjectContext.innermost else {
      throw NSError(
        coreData: NSCoreDataError, "execute() works inside perform or performAndWait of a context; none is entered.")
    }
    return try context.fetch(self)
  }
}

import Foundation
import OpenCocoaFoundation

extension NSManagedObjectContext: FetchEvaluating {
  package func evaluateFetch(_ request: Any?, countOnly: Bool) throws -> Any? {
    guard let request = request as? any AnyFetchRequest else {
      throw OCDEvaluationError("The request of a FETCH is not a fetch request: \(ValueText.of(request))")
    }
    return try request.result(in: self, countOnly: countOnly)
  }
}

extension NSManagedObjectContext {
  /// Whether there is anything, here or in the contexts above, that the store does not have.
  final var hasUnsavedChanges: Bool { nesting.hasChanges.load(ordering: .acquiring) || ancestorsHaveChanges }
}

extension NSFetchRequest {
  /// What a context gives for the request, whatever its type, or how much of it.
  func result(in context: NSManagedObjectContext, countOnly: Bool) throws -> Any {
    try countOnly ? NSNumber(value: context.count(for: self)) : context.fetch(self)
  }
}

import CoreData
import PerformanceTuning

/// Fetches people by a subquery into an empty context, and resets the context, with an empty row cache at the beginning.
func runA6(_ store: Store) throws {
  let stack = try store.open()
  try measure("A6") {
    stack.container.persistentStoreCoordinator.emptyRowCache()
  } work: {
    let count = try SubqueryTest().bySubquery(in: stack.context).count
    stack.context.reset()
    return count
  }
}

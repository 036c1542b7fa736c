import CoreData
import PerformanceTuning

/// Fetches people by a subquery into an empty context that is emptied again, with nothing in the row cache.
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

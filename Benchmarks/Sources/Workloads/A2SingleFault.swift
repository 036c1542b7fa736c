import CoreData
import PerformanceTuning

/// The SingleFault test, with nothing in the row cache when it begins.
func runA2(_ store: Store) throws {
  let stack = try store.openWalked()
  try measure("A2") {
    stack.context.reset()
    stack.container.persistentStoreCoordinator.emptyRowCache()
  } work: {
    try SingleFaultTest().read(in: stack.context).bytes
  }
}

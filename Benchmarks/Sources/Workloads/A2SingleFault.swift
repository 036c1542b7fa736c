import CoreData
import PerformanceTuning

/// Runs the SingleFault test, with an empty row cache at the beginning.
func runA2(_ store: Store) throws {
  let stack = try store.openWalked()
  try measure("A2") {
    stack.context.reset()
    stack.container.persistentStoreCoordinator.emptyRowCache()
  } work: {
    try SingleFaultTest().read(in: stack.context).bytes
  }
}

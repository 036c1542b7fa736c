import CoreData
import PerformanceTuning

/// Runs the BatchFault test, which fetches `self IN` a set of 500 objects a thousand times, and then SingleFault for
/// comparison. Each test begins with an empty row cache.
func runBatchFault(_ store: Store) throws {
  let stack = try store.open()
  func prepare() {
    stack.context.reset()
    stack.container.persistentStoreCoordinator.emptyRowCache()
  }
  try measure("batch-fault", prepare: prepare) { try BatchFaultTest().read(in: stack.context).bytes }
  try measure("batch-fault-single", prepare: prepare) { try SingleFaultTest().read(in: stack.context).bytes }
}

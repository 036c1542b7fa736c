import CoreData
import PerformanceTuning

/// The BatchFault test, which fetches `self IN` a set of 500 a thousand times, and beside it SingleFault; each with nothing
/// in the row cache when it begins.
func runBatchFault(_ store: Store) throws {
  let stack = try store.open()
  func prepare() {
    stack.context.reset()
    stack.container.persistentStoreCoordinator.emptyRowCache()
  }
  try measure("batch-fault", prepare: prepare) { try BatchFaultTest().read(in: stack.context).bytes }
  try measure("batch-fault-single", prepare: prepare) { try SingleFaultTest().read(in: stack.context).bytes }
}

import CoreData
import PerformanceTuning

/// Changes 500 ratings: one by one, fetched with an empty context and row cache, and saved; then by a batch update.
func runA7(_ store: Store) throws {
  let stack = try store.openCopy()
  let test = BatchUpdateTest()
  try measure("A7-single") {
    stack.context.reset()
    stack.container.persistentStoreCoordinator.emptyRowCache()
  } work: {
    try test.oneAtATime(adding: 1, in: stack.context)
  }
  stack.context.reset()
  try measure("A7-batch") { try test.byBatchUpdate(adding: 1, in: stack.context) }
  try stack.close()
  try store.remove(store.scratch)
}

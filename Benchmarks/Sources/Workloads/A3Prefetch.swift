import CoreData
import PerformanceTuning

/// A3 fetches with prefetching and reads 500,000 names, with an empty row cache at the beginning. A4 reads the names again.
func runA3(_ store: Store) throws {
  let stack = try store.openWalked()
  var selfies: [Selfie] = []
  try measure("A3") {
    selfies = []
    stack.context.reset()
    stack.container.persistentStoreCoordinator.emptyRowCache()
  } work: {
    selfies = try PrefetchTest().fetch(in: stack.context)
    return try readNames(of: selfies)
  }
  try measure("A4") { try readNames(of: selfies) }
}

private func readNames(of selfies: [Selfie]) throws -> Int {
  var names = NamesRead()
  try names.readAll(selfies)
  return names.bytes
}

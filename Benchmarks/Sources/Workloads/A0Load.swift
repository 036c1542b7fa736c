import CoreData
import PerformanceTuning

/// Loads everything through the context into a store that has only empty tables.
func runA0(_ store: Store) throws {
  let size = Store.walkedSize
  let loader = SampleDataLoader(size: size)
  var stack: PerformanceStack?
  try measure("A0") {
    try stack?.close()
    try store.remove(store.scratch)
    stack = try PerformanceStack(url: store.scratch)
  } work: {
    guard let context = stack?.context else { throw WorkloadError(description: "no stack") }
    try loader.load(into: context)
    return size.people + size.selfies + size.networks + size.joinRows
  }
  // The answer is the number of objects to load, so the following code checks that they were loaded.
  try stack?.close()
  let loaded = try PerformanceStack(url: store.scratch)
  var names = NamesRead()
  try names.readAll(try PrefetchTest().fetch(in: loaded.context))
  guard names.people + names.networks == size.joinRows else {
    throw WorkloadError(description: "A0 loaded \(names)")
  }
  try loaded.close()
  try store.remove(store.scratch)
}

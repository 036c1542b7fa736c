import CoreData
import PerformanceTuning

/// Fetches by a pattern or a rating a thousand times, each time into an empty context.
func runA5(_ store: Store) throws {
  let stack = try store.open()
  let predicate = NSPredicate(format: "(name LIKE \"*e*ie*\") OR (rating < 5)")
  let test = PredicateTest(repetitions: Counting.isOn ? 20 : 1000)
  try measure("A5") { try test.count(predicate, in: stack.context) }
}

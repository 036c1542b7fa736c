import CoreData
import Foundation
import PerformanceTuning

/// The number of operations in a measurement; `OperationBudget` divides the time by this number.
let operations = Counting.isOn ? 1000 : 10_000

/// Parses a format and evaluates predicates on managed objects; sorts managed objects.
func runPredicates(_ store: Store) throws {
  try measure("predicate-parse") {
    for index in 0..<operations {
      _ = NSPredicate(format: "name BEGINSWITH[cd] %@ AND rating > %d AND %K == nil", "A", index, "selfies")
    }
    return operations
  }
  let stack = try store.open()
  let request = Person.fetchRequest()
  request.fetchLimit = 100
  let people = try stack.context.fetch(request)
  guard let name = people[40].name else { throw WorkloadError(description: "person 40 has no name") }
  try measure("predicate-evaluate") {
    let predicate = NSPredicate(format: "name == %@", name)
    var found = 0
    for _ in 0..<operations / people.count {
      for person in people where predicate.evaluate(with: person) { found += 1 }
    }
    return found
  }
  try stack.close()
  try runEvaluation(store)
  try runSorting(store)
}

import CoreData

extension Check {
  static let uniqueValueChangesHands = Check(
    "D-SQL-13", "a deleted object's unique value can be taken in the same save",
    expected: "done, 1 rows"
  ) {
    let people = People()
    people.person.uniquenessConstraints = [["name"]]
    let bench = try Bench(people.model)
    let context = bench.context()
    let first = context.make("Person", ["name": "Ann"])
    try context.save()
    context.delete(first)
    context.make("Person", ["name": "Ann"])
    let result = outcome { try context.save() }
    return "\(result), \(try bench.context().all("Person").count) rows"
  }
}

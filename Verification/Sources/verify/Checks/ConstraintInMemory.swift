import CoreData

extension Check {
  static let constraintInMemory = Check(
    "D-STO-25", "a store in memory enforces uniqueness constraints",
    expected: "error 133021"
  ) {
    let people = People()
    people.person.uniquenessConstraints = [["name"]]
    let context = try Bench(people.model, type: NSInMemoryStoreType).context()
    context.make("Person", ["name": "Ann"])
    try context.save()
    context.make("Person", ["name": "Ann"])
    return outcome { try context.save() }
  }
}

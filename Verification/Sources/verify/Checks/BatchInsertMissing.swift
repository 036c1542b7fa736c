import CoreData

extension Check {
  static let batchInsertMissing = Check(
    "D-BAT-07", "a batch insert that leaves out a mandatory value is 1570",
    expected: "error 1570"
  ) {
    let people = People()
    people.name.isOptional = false
    let context = try Bench(people.model).context()
    let request = NSBatchInsertRequest(entityName: "Person", objects: [["age": 1]])
    return outcome { _ = try context.execute(request) }
  }
}

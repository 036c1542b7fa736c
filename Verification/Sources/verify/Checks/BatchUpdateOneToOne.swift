import CoreData

extension Check {
  static let batchUpdateOneToOne = Check(
    "D-BAT-04", "a batch update of a one-to-one relationship is 134060",
    expected: "error 134060"
  ) {
    let people = People()
    people.members.name = "captain"
    people.members.maxCount = 1
    let context = try Bench(people.model).context()
    let team = context.make("Team", ["name": "Red"])
    context.make("Person", ["name": "Ann"])
    try context.save()
    let request = NSBatchUpdateRequest(entityName: "Person")
    request.propertiesToUpdate = ["team": team.objectID]
    return outcome { _ = try context.execute(request) }
  }
}

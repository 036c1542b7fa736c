import CoreData

extension Check {
  static let batchDeleteDenied = Check(
    "D-BAT-09", "a batch delete that a deny rule forbids is 1600",
    expected: "error 1600"
  ) {
    let people = People()
    people.members.deleteRule = .denyDeleteRule
    let context = try Bench(people.model).context()
    context.make("Person", ["team": context.make("Team")])
    try context.save()
    let request = NSBatchDeleteRequest(fetchRequest: NSFetchRequest<NSFetchRequestResult>(entityName: "Team"))
    return outcome { _ = try context.execute(request) }
  }
}

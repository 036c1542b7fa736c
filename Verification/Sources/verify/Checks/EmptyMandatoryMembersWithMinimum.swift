import CoreData

extension Check {
  static let emptyMandatoryMembersWithMinimum = Check(
    "D-OBJ-13", "an empty mandatory to-many with a minimum is 1580",
    expected: "error 1580"
  ) {
    let people = People()
    people.members.isOptional = false
    people.members.minCount = 1
    let context = try Bench(people.model).context()
    context.make("Team")
    return outcome { try context.save() }
  }
}

import CoreData

extension Check {
  static let emptyMandatoryMembers = Check(
    "D-OBJ-13", "a mandatory to-many without a minimum may be empty",
    expected: "done"
  ) {
    let people = People()
    people.members.isOptional = false
    let context = try Bench(people.model).context()
    context.make("Team")
    return outcome { try context.save() }
  }
}

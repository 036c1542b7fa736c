import CoreData

extension Check {
  static let primitiveRelationship = Check(
    "D-REL-03", "between willChangeValue and didChangeValue the other end follows a primitive value",
    expected: "members 1"
  ) {
    let context = try Bench().context()
    let team = context.make("Team")
    let person = context.make("Person")
    context.processPendingChanges()
    person.willChangeValue(forKey: "team")
    person.setPrimitiveValue(team, forKey: "team")
    person.didChangeValue(forKey: "team")
    return "members \((team.value(forKey: "members") as? NSSet)?.count ?? -1)"
  }
}

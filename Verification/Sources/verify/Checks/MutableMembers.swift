import CoreData

extension Check {
  static let mutableMembers = Check(
    "D-REL-04", "value(forKey:) of a to-many is an NSMutableSet, and what is done to it is done to the relationship",
    expected: "mutable true, team Red"
  ) {
    let context = try Bench().context()
    let team = context.make("Team", ["name": "Red"])
    let person = context.make("Person")
    context.processPendingChanges()
    let members = team.value(forKey: "members")
    guard let set = members as? NSMutableSet else { return "mutable false" }
    set.add(person)
    context.processPendingChanges()
    return "mutable true, team \((person.value(forKey: "team") as? NSManagedObject)?.text("name") ?? "nil")"
  }
}

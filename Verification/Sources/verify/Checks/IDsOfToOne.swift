import CoreData

extension Check {
  static let idsOfToOne = Check(
    "D-REL-10", "objectIDs(forRelationshipNamed:) of a to-one gives one ID or none",
    expected: "1, 0"
  ) {
    let context = try Bench().context()
    let person = context.make("Person", ["team": context.make("Team")])
    let other = context.make("Person")
    try context.save()
    return
      "\(person.objectIDs(forRelationshipNamed: "team").count), \(other.objectIDs(forRelationshipNamed: "team").count)"
  }
}

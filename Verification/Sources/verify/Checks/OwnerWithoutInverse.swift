import CoreData

extension Check {
  static let ownerWithoutInverse = Check(
    "D-REL-06", "a member of a to-many without inverse has one owner once it is saved and read",
    expected: "Blue 1, Red 0"
  ) {
    let people = People()
    let pets = NSRelationshipDescription()
    pets.name = "pets"
    pets.destinationEntity = people.person
    pets.isOptional = true
    pets.deleteRule = .nullifyDeleteRule
    people.team.properties.append(pets)
    let bench = try Bench(people.model)
    let context = bench.context()
    let pet = context.make("Person")
    context.make("Team", ["name": "Red", "pets": NSSet(object: pet)])
    try context.save()
    context.make("Team", ["name": "Blue", "pets": NSSet(object: pet)])
    try context.save()
    let teams = try bench.context().all("Team")
    return teams.map { "\($0.text("name")) \(($0.value(forKey: "pets") as? NSSet)?.count ?? -1)" }.joined(
      separator: ", ")
  }
}

import CoreData

extension Check {
  static let countOverTwoSteps = Check(
    "D-PRE-25", "a count over two to-many steps counts pairs in SQL, and distinct objects in memory",
    expected: "SQL 2, memory 1"
  ) {
    let people = People()
    let (tag, tags, owners) = (NSEntityDescription(), NSRelationshipDescription(), NSRelationshipDescription())
    tag.name = "Tag"
    tag.managedObjectClassName = NSStringFromClass(NSManagedObject.self)
    for (relationship, name, destination) in [(tags, "tags", tag), (owners, "owners", people.person)] {
      relationship.name = name
      relationship.destinationEntity = destination
      relationship.isOptional = true
      relationship.deleteRule = .nullifyDeleteRule
    }
    tags.inverseRelationship = owners
    owners.inverseRelationship = tags
    people.person.properties.append(tags)
    tag.properties = [attribute("name", .stringAttributeType), owners]
    let model = NSManagedObjectModel()
    model.entities = [people.person, people.team, tag]
    let context = try Bench(model).context()
    let team = context.make("Team", ["name": "Red"])
    let shared = context.make("Tag", ["name": "shared"])
    for _ in 1...2 { context.make("Person", ["team": team, "tags": NSSet(object: shared)]) }
    try context.save()
    func predicate(_ count: Int) -> NSPredicate {
      NSPredicate(format: "members.tags.@count == %@", NSNumber(value: count))
    }
    let inSQL = try (0...3).first { try context.all("Team", predicate($0)).count == 1 }
    let inMemory = (0...3).first { predicate($0).evaluate(with: team) }
    return "SQL \(inSQL ?? -1), memory \(inMemory ?? -1)"
  }
}

import CoreData

extension Check {
  static let configurationOfParents = Check(
    "D-MOD-16", "a configuration has the subentities of the entities that it lists",
    expected: "Manager, Person"
  ) {
    let people = People()
    let manager = NSEntityDescription()
    manager.name = "Manager"
    manager.managedObjectClassName = NSStringFromClass(NSManagedObject.self)
    people.person.subentities = [manager]
    let model = NSManagedObjectModel()
    model.entities = [people.person, people.team, manager]
    model.setEntities([people.person], forConfigurationName: "Some")
    let names = (model.entities(forConfigurationName: "Some") ?? []).compactMap(\.name)
    return names.sorted().joined(separator: ", ")
  }
}

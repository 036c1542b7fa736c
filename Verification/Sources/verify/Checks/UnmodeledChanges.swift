import CoreData

extension Check {
  static let unmodeledChanges = Check(
    "D-OBJ-14", "willChangeValue of an unmodeled property marks objects of a class that does not ignore it",
    expected: "has changes true"
  ) {
    let people = People()
    people.person.managedObjectClassName = NSStringFromClass(MoodyPerson.self)
    let context = try Bench(people.model).context()
    let person = context.make("Person", ["name": "Ann"])
    try context.save()
    person.willChangeValue(forKey: "mood")
    person.didChangeValue(forKey: "mood")
    return "has changes \(person.hasChanges)"
  }
}

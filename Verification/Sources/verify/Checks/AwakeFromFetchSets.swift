import CoreData

extension Check {
  static let awakeFromFetchSets = Check(
    "D-OBJ-12", "what awakeFromFetch sets is no change to be saved",
    expected: "age 99, has changes false"
  ) {
    let people = People()
    people.person.managedObjectClassName = NSStringFromClass(FetchedPerson.self)
    let bench = try Bench(people.model)
    let context = bench.context()
    context.make("Person", ["name": "Ann"])
    try context.save()
    let other = bench.context()
    let person = try other.all("Person")[0]
    return "age \(person.text("age")), has changes \(other.hasChanges)"
  }
}

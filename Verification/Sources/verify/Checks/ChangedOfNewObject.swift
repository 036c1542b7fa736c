import CoreData

extension Check {
  static let changedOfNewObject = Check(
    "D-OBJ-11", "changedValues of a new object is what differs from the defaults",
    expected: "name"
  ) {
    let people = People()
    people.age.defaultValue = 18
    let context = try Bench(people.model).context()
    let person = context.make("Person", ["name": "Ann", "age": 18])
    return person.changedValues().keys.sorted().joined(separator: ", ")
  }
}

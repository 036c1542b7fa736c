import CoreData

extension Check {
  static let equalValue = Check(
    "D-OBJ-10", "setting an equal value marks an object as updated",
    expected: "updated true, changed values 0"
  ) {
    let context = try Bench().context()
    let person = context.make("Person", ["name": "Ann"])
    try context.save()
    person.setValue("Ann", forKey: "name")
    return "updated \(person.isUpdated), changed values \(person.changedValues().count)"
  }
}

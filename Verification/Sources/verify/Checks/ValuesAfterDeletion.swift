import CoreData

extension Check {
  static let valuesAfterDeletion = Check(
    "D-OBJ-09", "an object keeps its values after its deletion was saved, and has no context",
    expected: "Ann, context nil true"
  ) {
    let context = try Bench().context()
    let person = context.make("Person", ["name": "Ann"])
    try context.save()
    context.delete(person)
    try context.save()
    return "\(person.text("name")), context nil \(person.managedObjectContext == nil)"
  }
}

import CoreData

extension Check {
  static let refreshedAndChanged = Check(
    "D-CTX-15", "an object both refreshed and changed in an event is told as updated alone",
    expected: "updated"
  ) {
    let context = try Bench().context()
    let person = context.make("Person", ["name": "Ann"])
    try context.save()
    let lines = told(.NSManagedObjectContextObjectsDidChange, of: context, keys: changeKeys) {
      context.refresh(person, mergeChanges: true)
      person.setValue("Bob", forKey: "name")
      context.processPendingChanges()
    }
    return lines.joined(separator: "; ")
  }
}

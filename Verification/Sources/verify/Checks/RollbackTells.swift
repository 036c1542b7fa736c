import CoreData

extension Check {
  static let rollbackTells = Check(
    "D-CTX-15", "a rollback tells of insertions as deletions, of changes as refreshed",
    expected: "deleted+refreshed"
  ) {
    let context = try Bench().context()
    let person = context.make("Person", ["name": "Ann"])
    try context.save()
    person.setValue("Bob", forKey: "name")
    context.make("Person")
    context.processPendingChanges()
    let lines = told(.NSManagedObjectContextObjectsDidChange, of: context, keys: changeKeys) { context.rollback() }
    return lines.joined(separator: "; ")
  }
}

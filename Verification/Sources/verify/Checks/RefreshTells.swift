import CoreData

extension Check {
  static let refreshTells = Check(
    "D-CTX-14", "a refresh tells of refreshed objects, a reset of all IDs",
    expected: "refreshed; invalidatedAll"
  ) {
    let context = try Bench().context()
    let person = context.make("Person", ["name": "Ann"])
    try context.save()
    let lines = told(.NSManagedObjectContextObjectsDidChange, of: context, keys: changeKeys) {
      context.refresh(person, mergeChanges: false)
      context.processPendingChanges()
      context.reset()
    }
    return lines.joined(separator: "; ")
  }
}

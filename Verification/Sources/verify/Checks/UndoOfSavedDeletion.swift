import CoreData

extension Check {
  static let undoOfSavedDeletion = Check(
    "D-UND-04", "an object whose deletion was saved comes back by undo as the same object with its ID",
    expected: "same true, rows 1"
  ) {
    let bench = try Bench()
    let context = bench.context()
    context.undoManager = UndoManager()
    let person = context.make("Person", ["name": "Ann"])
    try context.save()
    let id = person.objectID
    context.processPendingChanges()
    context.undoManager?.removeAllActions()
    context.delete(person)
    context.processPendingChanges()
    try context.save()
    context.undo()
    try context.save()
    let rows = try bench.context().all("Person").count
    return "same \(person.managedObjectContext === context && person.objectID == id), rows \(rows)"
  }
}

import CoreData

extension Check {
  static let insertOfSavedObject = Check(
    "D-CTX-08", "a saved object that is inserted again counts as inserted until the next save",
    expected: "inserted true, false, rows 1"
  ) {
    let context = try Bench().context()
    let person = context.make("Person", ["name": "Ann"])
    try context.save()
    context.insert(person)
    let before = person.isInserted
    try context.save()
    let rows = try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Person"))
    return "inserted \(before), \(person.isInserted), rows \(rows)"
  }
}

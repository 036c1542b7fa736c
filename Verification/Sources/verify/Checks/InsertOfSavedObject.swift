import CoreData
import Foundation

extension Check {
  static let insertOfSavedObject = Check(
    "D-CTX-08", "a saved object that is inserted again counts as inserted until the next save",
    expected: "inserted true, false, told inserted, rows 1"
  ) {
    let context = try Bench().context()
    let person = context.make("Person", ["name": "Ann"])
    try context.save()
    context.insert(person)
    let before = person.isInserted
    nonisolated(unsafe) var told: [String] = []
    let token = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextDidSave, object: context, queue: nil
    ) { note in
      for kind in [NSInsertedObjectsKey, NSUpdatedObjectsKey]
      where (note.userInfo?[kind] as? Set<NSManagedObject>)?.isEmpty == false { told.append(kind) }
    }
    defer { NotificationCenter.default.removeObserver(token) }
    try context.save()
    let rows = try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Person"))
    return "inserted \(before), \(person.isInserted), told \(told.joined(separator: " ")), rows \(rows)"
  }
}

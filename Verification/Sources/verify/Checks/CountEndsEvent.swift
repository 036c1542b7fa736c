import CoreData

extension Check {
  static let countEndsEvent = Check(
    "D-CTX-07", "a count ends the current event",
    expected: "1 notification"
  ) {
    let context = try Bench().context()
    context.make("Person")
    let lines = try told(.NSManagedObjectContextObjectsDidChange, of: context, keys: []) {
      _ = try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Team"))
    }
    return "\(lines.count) notification"
  }
}

import CoreData

extension Check {
  static let fetchEndsEvent = Check(
    "D-CTX-07", "a fetch ends the current event",
    expected: "1 before, 1 after"
  ) {
    let context = try Bench().context()
    context.make("Person")
    var before = 0
    let lines = try told(.NSManagedObjectContextObjectsDidChange, of: context, keys: []) {
      _ = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Team"))
      before = 1
    }
    return "\(before) before, \(lines.count) after"
  }
}

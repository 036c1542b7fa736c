import CoreData

extension Check {
  static let offsetWithPendingChanges = Check(
    "D-FET-14", "offset and limit count over saved and unsaved objects together",
    expected: "B, C"
  ) {
    let context = try Bench().context()
    for name in ["B", "D"] { context.make("Person", ["name": name]) }
    try context.save()
    for name in ["A", "C"] { context.make("Person", ["name": name]) }
    let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
    request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
    request.fetchOffset = 1
    request.fetchLimit = 2
    return try context.fetch(request).map { $0.text("name") }.joined(separator: ", ")
  }
}

import CoreData

extension Check {
  static let executeOutsideOfBlocks = Check(
    "D-FET-03", "a request executed outside of a context's block throws",
    expected: "threw"
  ) {
    let bench = try Bench()
    let context = bench.context()
    context.make("Person")
    try context.save()
    let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
    do { return "\(try request.execute().count) objects" } catch { return "threw" }
  }
}

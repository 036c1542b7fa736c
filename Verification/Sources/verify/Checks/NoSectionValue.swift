import CoreData

extension Check {
  static let noSectionValue = Check(
    "D-RES-08", "a section without a value has the name \"\"",
    expected: "sections 1, name \"\""
  ) {
    let bench = try Bench()
    let context = bench.context()
    context.make("Person")
    try context.save()
    let request = NSFetchRequest<NSFetchRequestResult>(entityName: "Person")
    request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
    let controller = NSFetchedResultsController(
      fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "name", cacheName: nil)
    try controller.performFetch()
    return "sections \(controller.sections?.count ?? -1), name \"\(controller.sections?.first?.name ?? "nil")\""
  }
}

import CoreData

extension Check {
  static let controllerOrder = Check(
    "D-RES-08", "a controller tells of deletions, then insertions, moves and updates",
    expected: "delete, insert, move, update"
  ) {
    let bench = try Bench()
    let context = bench.context()
    let people = ["A", "B", "C", "D"].map { context.make("Person", ["name": $0]) }
    try context.save()
    let request = NSFetchRequest<NSFetchRequestResult>(entityName: "Person")
    request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
    let controller = NSFetchedResultsController(
      fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
    let watcher = ResultsWatcher()
    controller.delegate = watcher
    try controller.performFetch()
    people[3].setValue(1, forKey: "age")
    people[1].setValue("E", forKey: "name")
    context.make("Person", ["name": "AA"])
    context.delete(people[0])
    context.processPendingChanges()
    return watcher.calls.joined(separator: ", ")
  }
}

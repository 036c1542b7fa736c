import CoreData

extension Check {
  static let sortingByCount = Check(
    "D-FET-16", "sorting by a count of members works",
    expected: "Blue, Red"
  ) {
    let context = try Bench().context()
    let red = context.make("Team", ["name": "Red"])
    context.make("Team", ["name": "Blue"])
    context.make("Person", ["team": red])
    try context.save()
    let request = NSFetchRequest<NSManagedObject>(entityName: "Team")
    request.sortDescriptors = [NSSortDescriptor(key: "members.@count", ascending: true)]
    return try context.fetch(request).map { $0.text("name") }.joined(separator: ", ")
  }
}

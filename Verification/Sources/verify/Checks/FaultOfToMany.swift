import CoreData

extension Check {
  static let faultOfToMany = Check(
    "D-REL-05", "reading a to-many relationship of a fault fires it",
    expected: "fault true, then false"
  ) {
    let bench = try Bench()
    let context = bench.context()
    context.make("Team", ["name": "Red"])
    try context.save()
    let team = try bench.context().fetch(NSFetchRequest<NSManagedObject>(entityName: "Team"))[0]
    let before = team.isFault
    _ = team.value(forKey: "members")
    return "fault \(before), then \(team.isFault)"
  }
}

import CoreData

extension Check {
  static let anyEqualsCollection = Check(
    "D-PRE-24", "ANY members == a collection means IN",
    expected: "Red"
  ) {
    let context = try Bench().context()
    let red = context.make("Team", ["name": "Red"])
    let blue = context.make("Team", ["name": "Blue"])
    let ann = context.make("Person", ["name": "Ann", "team": red])
    context.make("Person", ["name": "Bob", "team": blue])
    try context.save()
    let teams = try context.all("Team", NSPredicate(format: "ANY members == %@", [ann] as NSArray))
    return teams.map { $0.text("name") }.joined(separator: ", ")
  }
}

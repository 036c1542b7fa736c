import CoreData

extension Check {
  static let membersCountAsChange = Check(
    "D-REL-07", "a change of a to-many alone is a conflict with a change of its owner",
    expected: "error 133020"
  ) {
    let bench = try Bench()
    let (one, other) = (bench.context(), bench.context())
    one.make("Team", ["name": "Red"])
    one.make("Person", ["name": "Ann"])
    try one.save()
    let team = try other.all("Team")[0]
    team.setValue("Blue", forKey: "name")
    try one.all("Person")[0].setValue(try one.all("Team")[0], forKey: "team")
    try one.save()
    return outcome { try other.save() }
  }
}

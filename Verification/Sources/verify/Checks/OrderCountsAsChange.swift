import CoreData

extension Check {
  static let orderCountsAsChange = Check(
    "D-REL-12", "a change of order alone is a conflict with a change of the owner",
    expected: "error 133020"
  ) {
    let people = People()
    people.members.isOrdered = true
    let bench = try Bench(people.model)
    let (one, other) = (bench.context(), bench.context())
    let members = ["Ann", "Bob"].map { one.make("Person", ["name": $0]) }
    let mine = one.make("Team", ["name": "Red", "members": NSOrderedSet(array: members)])
    try one.save()
    let theirs = try other.all("Team")[0]
    theirs.setValue("Blue", forKey: "name")
    mine.setValue(NSOrderedSet(array: members.reversed()), forKey: "members")
    try one.save()
    return outcome { try other.save() }
  }
}

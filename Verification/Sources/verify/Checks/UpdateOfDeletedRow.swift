import CoreData

extension Check {
  static let updateOfDeletedRow = Check(
    "D-CTX-11", "an update of a row that others have deleted is a conflict",
    expected: "error 133020"
  ) {
    let bench = try Bench()
    let (one, other) = (bench.context(), bench.context())
    one.make("Person", ["name": "Ann"])
    try one.save()
    let theirs = try other.all("Person")[0]
    theirs.setValue("Bob", forKey: "name")
    one.delete(try one.all("Person")[0])
    try one.save()
    return outcome { try other.save() }
  }
}

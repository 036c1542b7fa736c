import CoreData

extension Check {
  static let deletionOfChangedRow = Check(
    "D-CTX-11", "a deletion of a row that others have changed is a conflict",
    expected: "error 133020"
  ) {
    let bench = try Bench()
    let (one, other) = (bench.context(), bench.context())
    one.make("Person", ["name": "Ann"])
    try one.save()
    let theirs = try other.all("Person")[0]
    _ = theirs.text("name")
    try one.all("Person")[0].setValue("Bob", forKey: "name")
    try one.save()
    other.delete(theirs)
    return outcome { try other.save() }
  }
}

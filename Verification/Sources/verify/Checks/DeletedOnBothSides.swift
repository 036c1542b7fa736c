import CoreData

extension Check {
  static let deletedOnBothSides = Check(
    "D-CTX-09", "an object deleted on both sides is no conflict",
    expected: "done"
  ) {
    let bench = try Bench()
    let (one, other) = (bench.context(), bench.context())
    one.make("Person", ["name": "Ann"])
    try one.save()
    let mine = try one.all("Person")[0]
    let theirs = try other.all("Person")[0]
    _ = (mine.text("name"), theirs.text("name"))
    one.delete(mine)
    try one.save()
    other.delete(theirs)
    return outcome { try other.save() }
  }
}

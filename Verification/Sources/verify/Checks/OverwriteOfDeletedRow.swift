import CoreData

extension Check {
  static let overwriteOfDeletedRow = Check(
    "D-CTX-11", "a row deleted meanwhile stays so under object trump, and comes back under overwrite",
    expected: "object trump: 0 rows, overwrite: 1 rows"
  ) {
    func rows(_ policy: NSMergePolicy) throws -> Int {
      let bench = try Bench()
      let (one, other) = (bench.context(), bench.context(policy))
      one.make("Person", ["name": "Ann"])
      try one.save()
      try other.all("Person")[0].setValue("Bob", forKey: "name")
      one.delete(try one.all("Person")[0])
      try one.save()
      try other.save()
      let left = try bench.context().all("Person")
      return left.count
    }
    let (trumped, overwritten) = (try rows(.mergeByPropertyObjectTrump), try rows(.overwrite))
    return "object trump: \(trumped) rows, overwrite: \(overwritten) rows"
  }
}

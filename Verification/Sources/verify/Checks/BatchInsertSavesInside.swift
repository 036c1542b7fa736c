import CoreData

extension Check {
  static let batchInsertSavesInside = Check(
    "D-BAT-02", "a batch insert whose handler saves to the same store is 134030, and does not hang",
    expected: "error 134030"
  ) {
    let bench = try Bench()
    let (context, other) = (bench.context(), bench.context())
    other.make("Team")
    var remaining = 1
    var inner = "not called"
    let request = NSBatchInsertRequest(
      entityName: "Person",
      dictionaryHandler: { row in
        guard remaining > 0 else { return true }
        remaining -= 1
        row["name"] = "Ann"
        inner = outcome { try other.save() }
        return false
      })
    let all = outcome { _ = try context.execute(request) }
    return inner == "done" ? all : inner
  }
}

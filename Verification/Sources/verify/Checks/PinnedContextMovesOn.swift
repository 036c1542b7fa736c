import CoreData

extension Check {
  static let pinnedContextMovesOn = Check(
    "D-CTX-18", "a pinned context moves to the latest commit with its own save",
    expected: "0, then 1"
  ) {
    let bench = try Bench(options: [NSPersistentHistoryTrackingKey: NSNumber(value: true)])
    let (one, other) = (bench.context(), bench.context())
    one.make("Team", ["name": "Red"])
    try one.save()
    try other.setQueryGenerationFrom(.current)
    _ = try other.all("Team")
    one.make("Person", ["name": "Ann"])
    try one.save()
    let before = try other.all("Person").count
    other.make("Team", ["name": "Blue"])
    try other.save()
    return "\(before), then \(try other.all("Person").count)"
  }
}

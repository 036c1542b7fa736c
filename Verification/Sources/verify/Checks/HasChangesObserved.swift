import CoreData

extension Check {
  static let hasChangesObserved = Check(
    "D-KVC-19", "observers of hasChanges are told when the event ends, and when the save has ended",
    expected: "nothing; true; true, false"
  ) {
    let context = try Bench().context()
    let lines = Lines()
    let observation = context.observe(\.hasChanges, options: .new) { _, change in
      lines.all.append(change.newValue.map { "\($0)" } ?? "nil")
    }
    defer { observation.invalidate() }
    context.make("Person", ["name": "Ann"])
    let atFirst = lines.all.isEmpty ? "nothing" : lines.all.joined(separator: ", ")
    context.processPendingChanges()
    let afterTheEvent = lines.all.joined(separator: ", ")
    try context.save()
    return "\(atFirst); \(afterTheEvent); \(lines.all.joined(separator: ", "))"
  }
}

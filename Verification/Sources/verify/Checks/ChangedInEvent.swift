import CoreData

extension Check {
  static let changedInEvent = Check(
    "D-OBJ-11", "changedValuesForCurrentEvent gives the values from before the event",
    expected: "Ann, then nothing"
  ) {
    let context = try Bench().context()
    let person = context.make("Person", ["name": "Ann"])
    try context.save()
    person.setValue("Bob", forKey: "name")
    let before = person.changedValuesForCurrentEvent()["name"].map { "\($0)" } ?? "nothing"
    context.processPendingChanges()
    return "\(before), then \(person.changedValuesForCurrentEvent()["name"].map { "\($0)" } ?? "nothing")"
  }
}

import CoreData

extension Check {
  static let mergedDeletionDropsReferences = Check(
    "D-CTX-21", "a merged deletion drops references that were made here, and unsaved changes with the object",
    expected: "team nil, changed 1"
  ) {
    let bench = try Bench()
    let (one, other) = (bench.context(), bench.context())
    one.make("Team", ["name": "Red"])
    one.make("Person", ["name": "Ann"])
    try one.save()
    let team = try other.all("Team")[0]
    let person = try other.all("Person")[0]
    person.setValue(team, forKey: "team")
    team.setValue("Blue", forKey: "name")
    other.processPendingChanges()
    one.delete(try one.all("Team")[0])
    let token = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextDidSave, object: one, queue: nil
    ) { other.mergeChanges(fromContextDidSave: $0) }
    defer { NotificationCenter.default.removeObserver(token) }
    try one.save()
    other.processPendingChanges()
    return "team \(person.text("team")), changed \(other.updatedObjects.count)"
  }
}

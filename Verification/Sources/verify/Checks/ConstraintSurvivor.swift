import CoreData

extension Check {
  static let constraintSurvivor = Check(
    "D-CTX-12", "under object trump the row in the store survives a violated constraint with the new values",
    expected: "1 rows, Ann 2, ID of the first true"
  ) {
    let people = People()
    people.person.uniquenessConstraints = [["name"]]
    let bench = try Bench(people.model)
    let (one, other) = (bench.context(), bench.context(.mergeByPropertyObjectTrump))
    let first = one.make("Person", ["name": "Ann", "age": 1])
    try one.save()
    other.make("Person", ["name": "Ann", "age": 2])
    try other.save()
    let rows = try bench.context().all("Person")
    let isFirst = rows[0].objectID == first.objectID
    return "\(rows.count) rows, \(rows[0].text("name")) \(rows[0].text("age")), ID of the first \(isFirst)"
  }
}

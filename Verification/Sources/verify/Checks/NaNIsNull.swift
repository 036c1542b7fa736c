import CoreData

extension Check {
  static let nanIsNull = Check(
    "D-STO-32", "NaN is stored as no value",
    expected: "1 row without a score"
  ) {
    let people = People()
    people.person.properties.append(attribute("score", .doubleAttributeType))
    let bench = try Bench(people.model)
    let context = bench.context()
    context.make("Person", ["score": Double.nan])
    try context.save()
    let rows = try bench.context().all("Person", NSPredicate(format: "score == nil"))
    return "\(rows.count) row without a score"
  }
}

import CoreData

extension Check {
  static let nanAndLimits = Check(
    "D-OBJ-13", "NaN breaks any limit, here one that was set in code",
    expected: "error 1550"
  ) {
    let people = People()
    let score = attribute("score", .doubleAttributeType)
    score.setValidationPredicates(
      [NSPredicate(format: "SELF >= 0"), NSPredicate(format: "SELF <= 10")],
      withValidationWarnings: ["too small", "too large"])
    people.person.properties.append(score)
    let context = try Bench(people.model).context()
    context.make("Person", ["score": Double.nan])
    return outcome { try context.save() }
  }
}

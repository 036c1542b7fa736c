import CoreData

extension Check {
  static let decimalsOfSet = Check(
    "D-KVC-14", "value(forKey:) of a set over decimal values gives an array",
    expected: "an array of 2"
  ) {
    let people = People()
    people.person.properties.append(attribute("price", .decimalAttributeType))
    let context = try Bench(people.model).context()
    let team = context.make("Team")
    for price in ["1.5", "2.5"] {
      context.make("Person", ["price": NSDecimalNumber(string: price), "team": team])
    }
    let values = (team.value(forKey: "members") as? NSSet)?.value(forKey: "price")
    if let set = values as? NSSet { return "a set of \(set.count)" }
    return "an array of \((values as? NSArray)?.count ?? -1)"
  }
}

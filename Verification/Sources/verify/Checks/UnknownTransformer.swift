import CoreData

extension Check {
  static let unknownTransformer = Check(
    "D-ARC-10", "values of an unknown transformer are those of the one for property list classes",
    expected: "a, b"
  ) {
    let people = People()
    let tags = attribute("tags", .transformableAttributeType)
    tags.valueTransformerName = "NobodyKnowsThisTransformer"
    people.person.properties.append(tags)
    let bench = try Bench(people.model)
    let context = bench.context()
    context.make("Person", ["tags": ["a", "b"] as NSArray])
    try context.save()
    let value = try bench.context().all("Person")[0].value(forKey: "tags") as? [String]
    return value?.joined(separator: ", ") ?? "nil"
  }
}

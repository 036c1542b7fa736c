import CoreData

extension Check {
  static let batchInsertAsksPolicyType = Check(
    "D-BAT-08", "a batch insert asks a merge policy for its type alone",
    expected: "resolved 0, rows 1, age 2"
  ) {
    let people = People()
    people.person.uniquenessConstraints = [["name"]]
    let bench = try Bench(people.model)
    let context = bench.context(CountedPolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType))
    context.make("Person", ["name": "Ann", "age": 1])
    try context.save()
    let request = NSBatchInsertRequest(entityName: "Person", objects: [["name": "Ann", "age": 2]])
    _ = try context.execute(request)
    let rows = try bench.context().all("Person")
    context.refreshAllObjects()
    return "resolved \(CountedPolicy.resolutions), rows \(rows.count), age \(try context.all("Person")[0].text("age"))"
  }
}

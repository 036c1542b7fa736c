import CoreData

extension Check {
  static let dictionaryKeys = Check(
    "D-FET-15", "dictionaries without propertiesToFetch have all attributes",
    expected: "age, name"
  ) {
    let context = try Bench().context()
    context.make("Person", ["name": "Ann", "age": 1])
    try context.save()
    let request = NSFetchRequest<NSDictionary>(entityName: "Person")
    request.resultType = .dictionaryResultType
    let keys = try context.fetch(request)[0].allKeys.map { "\($0)" }
    return keys.sorted().joined(separator: ", ")
  }
}

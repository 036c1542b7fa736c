import CoreData

extension Check {
  static let nilIsAtMostNil = Check(
    "D-PRE-29", "an attribute without a value is at most and at least nil",
    expected: "SQL <= Ann, >= Ann, < none, > none; memory <= Ann, >= Ann, < none, > none"
  ) {
    let context = try Bench().context()
    context.make("Person", ["name": "Ann"])
    context.make("Person", ["name": "Bob", "age": 3])
    try context.save()
    let people = try context.all("Person")
    func names(_ found: [NSManagedObject]) -> String {
      found.isEmpty ? "none" : found.map { $0.text("name") }.sorted().joined(separator: " and ")
    }
    let operators = ["<=", ">=", "<", ">"]
    func predicate(_ name: String) -> NSPredicate { NSPredicate(format: "age \(name) nil") }
    let inSQL = try operators.map { "\($0) \(names(try context.all("Person", predicate($0))))" }
    let inMemory = operators.map { name in "\(name) \(names(people.filter { predicate(name).evaluate(with: $0) }))" }
    return "SQL \(inSQL.joined(separator: ", ")); memory \(inMemory.joined(separator: ", "))"
  }
}

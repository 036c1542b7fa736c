import CoreData

extension Check {
  static let entityOfUnknownClass = Check(
    "D-OBJ-08", "entity() of a class that no model has is an entity without a name",
    expected: "name nil"
  ) {
    return "name \(CountedPerson.entity().name ?? "nil")"
  }
}

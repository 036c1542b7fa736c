import CoreData

extension Check {
  static let refreshOfNewObject = Check(
    "D-CTX-06", "a refresh without merging makes a new object a fault that keeps its values",
    expected: "fault true, name Ann, fault false"
  ) {
    let context = try Bench().context()
    let person = context.make("Person", ["name": "Ann"])
    context.refresh(person, mergeChanges: false)
    let before = person.isFault
    let name = person.text("name")
    return "fault \(before), name \(name), fault \(person.isFault)"
  }
}

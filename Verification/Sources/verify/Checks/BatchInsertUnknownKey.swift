import CoreData

extension Check {
  static let batchInsertUnknownKey = Check(
    "D-BAT-07", "a batch insert of an unknown key is 1550",
    expected: "error 1550"
  ) {
    let context = try Bench().context()
    let request = NSBatchInsertRequest(entityName: "Person", objects: [["name": "Ann", "nickname": "A"]])
    return outcome { _ = try context.execute(request) }
  }
}

import CoreData

extension Check {
  static let optionOfWrongType = Check(
    "D-STO-22", "an option of the wrong type is 134080",
    expected: "error 134080"
  ) {
    return outcome { _ = try Bench(options: [NSReadOnlyPersistentStoreOption: ["no"] as NSArray]) }
  }
}

import CoreData

extension Check {
  static let didSaveToken = Check(
    "D-CTX-10", "a did-save notification has the token of the history under newChangeToken",
    expected: "newChangeToken"
  ) {
    let bench = try Bench(options: [NSPersistentHistoryTrackingKey: NSNumber(value: true)])
    let context = bench.context()
    context.make("Person")
    return try told(.NSManagedObjectContextDidSave, of: context, keys: ["newChangeToken"]) { try context.save() }
      .joined(separator: ", ")
  }
}

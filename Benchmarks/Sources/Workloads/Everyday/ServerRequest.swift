import CoreData
import Foundation

/// Answers requests as a server does, each in a context of its own: reads the latest 20 messages of a channel, and saves one.
func runServerRequests(_ store: Store) throws {
  try store.remove(store.scratch)
  let message = NSEntityDescription.make(
    "Message",
    [
      "channel": .integer64AttributeType, "date": .dateAttributeType, "author": .stringAttributeType,
      "text": .stringAttributeType,
    ])
  let attributes = message.attributesByName
  message.indexes = [
    NSFetchIndexDescription(
      name: "byChannelAndDate",
      elements: ["channel", "date"].compactMap { attributes[$0] }.map {
        NSFetchIndexElementDescription(property: $0, collationType: .binary)
      })
  ]
  let stack = try ModelStack(url: store.scratch, [message])
  var number = 0
  let insert = NSBatchInsertRequest(entityName: "Message") { (object: NSManagedObject) in
    if number == 10_000 { return true }
    fill(object, number)
    number += 1
    return false
  }
  try stack.context.execute(insert)
  var requests = 0
  let counted = Counting.isOn ? 100 : 1000
  try measure("request") {
    var read = 0
    for _ in 0..<counted {
      read += try answer(requests, stack.container)
      requests += 1
    }
    return read
  }
  let saved = try stack.context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Message"))
  guard saved == 10_000 + requests else {
    throw WorkloadError(description: "request: there are \(saved) messages after \(requests) requests")
  }
  try stack.close()
  try store.remove(store.scratch)
}

private func fill(_ message: NSManagedObject, _ number: Int) {
  message.setValue(number % 100, forKey: "channel")
  message.setValue(Date(timeIntervalSinceReferenceDate: Double(number)), forKey: "date")
  message.setValue("Author \(number % 37)", forKey: "author")
  message.setValue("The text of message \(number % 1000)", forKey: "text")
}

/// Returns the number of messages that were read, with their texts.
private func answer(_ number: Int, _ container: NSPersistentContainer) throws -> Int {
  let context = container.newBackgroundContext()
  return try context.performAndWait {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Message")
    request.predicate = NSPredicate(format: "channel == %d", number % 100)
    request.sortDescriptors = [NSSortDescriptor(key: "date", ascending: false)]
    request.fetchLimit = 20
    let read = try context.fetch(request).count { $0.value(forKey: "text") as? String != nil }
    fill(context.insert("Message"), 10_000 + number)
    try context.save()
    return read
  }
}

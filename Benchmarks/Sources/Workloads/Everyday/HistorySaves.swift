import CoreData
import Foundation

/// Saves objects one at a time, in a store without history and in one with history.
func runHistorySaves(_ store: Store) throws {
  let saves = Counting.isOn ? 200 : 2000
  for (name, tracksHistory) in [("history-off", false), ("history-on", true)] where Counting.includes(name) {
    var stack: ModelStack?
    var saved = 0
    try measure(
      name,
      prepare: {
        try stack?.close()
        try store.remove(store.scratch)
        let note = NSEntityDescription.make(
          "Note", ["name": .stringAttributeType, "rating": .integer64AttributeType])
        stack = try ModelStack(url: store.scratch, [note], tracksHistory: tracksHistory)
        saved = 0
      },
      answer: {
        guard let stack else { return 0 }
        let history = try stack.history(isKept: tracksHistory)
        let notes = try stack.context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Note"))
        guard notes == saves, history == (tracksHistory ? saves : 0) else {
          throw WorkloadError(description: "\(name): \(notes) notes and \(history) transactions")
        }
        return notes
      },
      work: {
        guard let context = stack?.context else { return 0 }
        for number in 0..<saves {
          let note = context.insert("Note")
          note.setValue("note \(number)", forKey: "name")
          note.setValue(number, forKey: "rating")
          try context.save()
          saved += 1
        }
        return saved
      })
    try stack?.close()
  }
  try store.remove(store.scratch)
}

extension ModelStack {
  /// Returns the number of transactions that the store's history has.
  fileprivate func history(isKept: Bool) throws -> Int {
    guard isKept else { return 0 }
    let request = NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?)
    let result = try context.execute(request) as? NSPersistentHistoryResult
    return (result?.result as? [NSPersistentHistoryTransaction])?.count ?? 0
  }
}

import CoreData

/// Inserts objects and saves them in one save, more and more of them. Only the save is measured.
func runLargeSaves(_ store: Store) throws {
  for count in Counting.isOn ? [10_000] : [10_000, 100_000, 300_000] {
    let name = "large-save-\(count)", rows = Counting.isOn ? 2000 : count
    guard Counting.includes(name) else { continue }
    var stack: ModelStack?
    try measure(
      name,
      prepare: {
        try stack?.close()
        try store.remove(store.scratch)
        let note = NSEntityDescription.make(
          "Note", ["name": .stringAttributeType, "rating": .integer64AttributeType])
        let opened = try ModelStack(url: store.scratch, [note])
        for number in 0..<rows {
          let note = opened.context.insert("Note")
          note.setValue("note \(number)", forKey: "name")
          note.setValue(number, forKey: "rating")
        }
        stack = opened
      },
      answer: { try stack?.context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Note")) ?? 0 },
      work: {
        try stack?.context.save()
        return rows
      })
    try stack?.close()
  }
  try store.remove(store.scratch)
}

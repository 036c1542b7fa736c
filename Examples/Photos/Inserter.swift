import CoreData

/// Inserts photos in a background context, and saves after every thousand of them.
struct Inserter {
  let container: NSPersistentContainer
  let design: Design
  var batchSize = 1000

  /// - Parameter each: Called after every save with the number of photos so far.
  /// - Throws: The errors of `save()`.
  @MainActor func insert(_ count: Int, each: (Int) -> Void) async throws {
    let context = container.newBackgroundContext()
    // The inserts are not undone, and saved objects need not stay in memory.
    context.undoManager = nil
    let design = design
    for start in stride(from: 0, to: count, by: batchSize) {
      let numbers = start..<min(start + batchSize, count)
      try await context.perform {
        for number in numbers { design.insert(PhotoValues(number: number), into: context) }
        try context.save()
        context.reset()
      }
      each(numbers.upperBound)
    }
  }
}

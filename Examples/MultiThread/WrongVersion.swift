import CoreData
import Foundation

/// The mistake: the writer uses the reader's context on a thread of its own.
///
/// Without the check the program may work for a while, lose objects, or crash at an unrelated place.
struct WrongVersion {
  let container: NSPersistentContainer

  /// Switches on the check that stops the program at the first wrong access, as `-com.apple.CoreData.ConcurrencyDebug 1` does.
  /// This function must be called before anything of Core Data is used. `COREDATA_CONCURRENCYDEBUG=0` leaves the check off.
  static func switchOnCheck() { setenv("COREDATA_CONCURRENCYDEBUG", "1", 0) }

  /// Inserts objects on another thread while this one reads, both without `perform`.
  ///
  /// - Returns: The number of objects in the end. With the check, the program stops before.
  /// - Throws: The errors of `count(for:)`.
  @MainActor func run(_ count: Int, each: (Int) -> Void) async throws -> Int {
    let context = container.viewContext
    let writer = Thread {
      for value in 0..<count {
        // Wrong: this is not the thread of the context.
        let data = MyData(context: context)
        data.myValue = Int64(value)
        try? context.save()
      }
    }
    writer.start()
    while !writer.isFinished {
      each(try context.count(for: MyData.fetchRequest()))
      try await Task.sleep(for: .milliseconds(40))
    }
    return try context.count(for: MyData.fetchRequest())
  }
}

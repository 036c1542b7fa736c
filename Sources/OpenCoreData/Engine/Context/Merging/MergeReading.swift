/// The objects that a merge refreshes. Their rows that are not in the row cache are read together: otherwise a program
/// that merges the changes of another program would read each row by itself, which takes a round trip where the rows are
/// in a server.
final class MergeReading {
  /// The number of rows that are read at once. It is large, since all of the rows are needed.
  private static let size = 10_000

  private let updated: [NSManagedObjectID]
  private var faultBatches: [ObjectIdentifier: FaultBatch] = [:]
  /// The object that is being refreshed.
  @exclusivity(unchecked) var current: ObjectIdentifier?

  init(_ updated: [NSManagedObjectID]) { self.updated = updated }

  /// The fault batch to read an object's row with; nil for an object that fires during the merge without being refreshed
  /// by it, and where only one object is refreshed.
  func faultBatch(of object: NSManagedObject, in context: NSManagedObjectContext) -> FaultBatch? {
    guard ObjectIdentifier(object) == current, updated.count > 1, let table = object.table else { return nil }
    if let known = faultBatches[ObjectIdentifier(table)] { return known }
    var keys: ContiguousArray<Int64> = []
    for id in updated {
      guard let other = context.registeredObject(for: id), other.table === table else { continue }
      if other.snapshot != nil { keys.append(other.key) }
    }
    let made = FaultBatch(keys, layout: object.layout, size: Self.size)
    faultBatches[ObjectIdentifier(table)] = made
    return made
  }
}

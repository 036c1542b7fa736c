/// The objects that a merge refreshes. What the row cache has not of their rows is read together: a program that merges what
/// another one has saved would else read each by itself, which takes a round trip where the rows are in a server.
final class MergeReading {
  /// How many rows are read at once. All of them are needed.
  private static let size = 10_000

  private let updated: [NSManagedObjectID]
  private var faultBatches: [ObjectIdentifier: FaultBatch] = [:]
  /// The object that is being refreshed.
  @exclusivity(unchecked) var current: ObjectIdentifier?

  init(_ updated: [NSManagedObjectID]) { self.updated = updated }

  /// What an object's row is read with; nil for one that fires beside the merge, and where there are no others.
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

extension FaultBatch {
  /// Makes this batch the fault batch of the faults among these objects.
  func take(_ objects: ContiguousArray<NSManagedObject>) {
    var count: UInt32 = 0
    for object in Borrowed(objects) { object.read { if $0.isUnread { count += 1 } } }
    if count == 0 { return }
    // One atomic operation counts the references of all objects, in place of one operation for each; every object then
    // takes over a reference that is counted already.
    let references = ReferencesInAdvance(to: self, count: count)
    for object in Borrowed(objects) { object.read { if $0.isUnread { $0.faultBatch = references.take() } } }
  }
}

import CRuntime

extension FaultBatch {
  /// Makes this batch the fault batch of the faults among these objects.
  func take(_ objects: ContiguousArray<NSManagedObject>) {
    var count: UInt32 = 0
    for object in Borrowed(objects) { object._withUnsafeGuaranteedRef { if $0.isUnread { count += 1 } } }
    if count == 0 { return }
    // References are counted by one atomic operation instead of one per object, which takes over a reference that is
    // there already.
    let own = Unmanaged.passUnretained(self)
    runtime_retain(own.toOpaque(), count)
    for object in Borrowed(objects) {
      object._withUnsafeGuaranteedRef { if $0.isUnread { $0.faultBatch = own.takeRetainedValue() } }
    }
  }
}

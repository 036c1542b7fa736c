import CRuntime

/// References to one object that are counted by one atomic operation, and then given away one by one.
struct ReferencesInAdvance<Referent: AnyObject> {
  /// The object, retained once for each of the references.
  let reference: Unmanaged<Referent>

  /// Counts the references, each of which must be given away.
  init(to referent: Referent, count: UInt32) {
    reference = Unmanaged.passUnretained(referent)
    runtime_retain(reference.toOpaque(), count)
  }

  /// Gives one of the references away.
  @inline(__always)
  func take() -> Referent { reference.takeRetainedValue() }
}

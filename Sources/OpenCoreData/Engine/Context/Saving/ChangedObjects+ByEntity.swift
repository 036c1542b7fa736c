// The changed objects by entity, which fetches ask.
extension ChangedObjects {
  /// What contexts have that take out single objects, or fetch with changes. It is one reference, since the list is copied where
  /// it is walked through. Only the context's own list changes it.
  final class Index {
    /// The places of objects, computed when the first one is taken out.
    var places: [ObjectIdentifier: Int] = [:]
    /// The end of the entries whose places are known.
    var placed = 0
    /// The objects by entity, once a fetch has asked for them.
    var byEntity: PendingObjects?
  }

  /// The objects by entity, as they are now; made if there are none.
  mutating func madeByEntity() -> PendingObjects {
    let index = madeIndex()
    let made = index.byEntity ?? PendingObjects()
    index.byEntity = made
    return made
  }

  /// Notes that an object has changed: outside of an event, or in one that has ended.
  @inline(__always)
  func note(changeOf object: NSManagedObject) { index?.byEntity?.note(object) }

  /// Notes the objects that an event has changed, when the event ends.
  @inline(__always)
  func note(_ entries: ContiguousArray<ContextEvent.Entry>) {
    guard let byEntity = index?.byEntity else { return }
    for entry in entries { byEntity.note(entry.object) }
  }

  /// Forgets the objects by entity, because what follows changes objects without noting it.
  func forgetEntities() { index?.byEntity = nil }
}

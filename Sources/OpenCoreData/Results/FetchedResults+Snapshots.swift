import Foundation

// Snapshots of the contents: for a delegate that takes them, and for sequences.
extension FetchedResults {
  /// Returns the sequence of snapshots from now on, beginning with the present one.
  func snapshots() -> AsyncStream<NSDiffableDataSourceSnapshotReference> {
    context.checkQueue()
    return broadcast.stream(first: contents == nil ? nil : snapshot(changed: []))
  }

  /// - Parameter changed: the objects that were changed since the previous snapshot.
  func snapshot(changed: [NSManagedObject]) -> NSDiffableDataSourceSnapshotReference {
    guard let contents else { return NSDiffableDataSourceSnapshotReference() }
    var items = snapshotItems ?? contents.snapshotItems
    snapshotItems = nil
    _ = items.settle(place: contents.place)
    snapshotItems = items
    let one = [CountedSection(identifier: sectionIdentifier, count: contents.objectCount)]
    return NSDiffableDataSourceSnapshotReference(
      sections: contents.sections.isNamed ? contents.sections.list : CountedSection.list(one), items: items.ids,
      reloaded: changed.map(\.objectID))
  }

  /// Whether a sequence is being read, or the delegate may take snapshots: a delegate counts until it is known not to.
  var givesSnapshots: Bool {
    !broadcast.isEmpty || delegate != nil && !missingMethods.contains(.snapshot)
  }

  /// Gives a snapshot to the sequences, and to the delegate if it takes snapshots.
  /// - Returns: whether the delegate takes snapshots, and therefore gets no other calls.
  func giveSnapshot(changed: [NSManagedObject]) -> Bool {
    guard givesSnapshots else {
      snapshotItems = nil
      return false
    }
    let snapshot = snapshot(changed: changed)
    broadcast.send(snapshot)
    guard let delegate, let owner, !missingMethods.contains(.snapshot) else { return false }
    delegate.controller(owner.erased, didChangeContentWith: snapshot)
    DelegateMethodsKnown.note(missingMethods, of: delegate)
    return !missingMethods.contains(.snapshot)
  }

  /// Gives a snapshot of contents that have just been fetched.
  func tellFetched() {
    guard fetch?.isTracked == true else { return }
    _ = giveSnapshot(changed: [])
  }

  /// Called after a save. It may have given permanent IDs to objects that were reported with temporary IDs, and values
  /// to derived attributes.
  /// - Parameter derived: objects that were not saved themselves, but whose derived attributes have changed.
  func contextDidSave(_ saved: SavedObjects, derived: Set<NSManagedObject>) {
    if fetch?.hasDerivedAttributes == true {
      var changes = ContextChanges()
      changes.touched = derived
      changes.written = saved.inserted.union(saved.updated)
      contextDidChange(changes)
    }
    contents?.settle()
    guard !isStale, !saved.inserted.isEmpty, let contents, var items = snapshotItems, givesSnapshots else { return }
    snapshotItems = nil
    let hasChanged = items.settle(place: contents.place)
    snapshotItems = items
    if hasChanged { _ = giveSnapshot(changed: []) }
  }
}

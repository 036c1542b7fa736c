extension NSFetchedResultsController {
  /// The contents as snapshots: the present contents, then the contents after each change, until the controller is
  /// released.
  ///
  /// The snapshots have section names and object IDs, like the delegate's snapshots. Without a section key path the
  /// only section has a generated name. A reader that is slower than the changes gets the latest snapshot, and misses
  /// some in between. Read this property on the context's queue; the sequence may be read anywhere. Each access makes a
  /// new sequence.
  ///
  /// Not in Apple's framework.
  public final var snapshots: AsyncStream<NSDiffableDataSourceSnapshotReference> { results.snapshots() }
}

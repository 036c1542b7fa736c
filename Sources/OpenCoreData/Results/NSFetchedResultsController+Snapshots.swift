extension NSFetchedResultsController {
  /// The contents as snapshots: the present ones, then the contents after each change, until the controller is released.
  ///
  /// The snapshots contain section names and objects' IDs, like those of the delegate; without a section key path the one
  /// section has a generated name. A reader that is slower than the changes gets the latest snapshot, and misses some in
  /// between. Call it on the context's queue; the sequence may be read anywhere. Each call makes a sequence of its own.
  ///
  /// Not in Apple's framework.
  public final var snapshots: AsyncStream<NSDiffableDataSourceSnapshotReference> { results.snapshots() }
}

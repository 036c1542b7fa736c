/// Whether two controllers are the same, the one that a delegate gets being the same as the one that it stands for.
public func === <First, Second>(
  first: NSFetchedResultsController<First>?, second: NSFetchedResultsController<Second>?
) -> Bool { first?.results === second?.results }

/// Whether two controllers are not the same; see `===`.
public func !== <First, Second>(
  first: NSFetchedResultsController<First>?, second: NSFetchedResultsController<Second>?
) -> Bool { !(first === second) }

// A delegate gets a controller that represents the one that was made. Code that compares it means the one that was made. The
// operators below are preferred to the standard library's operators for any two objects. There are several, since the
// compiler chooses them only if they fit optional and other arguments better.

/// Whether two controllers are the same. The controller that a delegate gets is the same as the one that it represents.
public func === <First, Second>(
  first: NSFetchedResultsController<First>, second: NSFetchedResultsController<Second>
) -> Bool { first.results === second.results }

/// Whether two controllers are the same. The controller that a delegate gets is the same as the one that it represents.
public func === <First, Second>(
  first: NSFetchedResultsController<First>, second: NSFetchedResultsController<Second>?
) -> Bool { first.results === second?.results }

/// Whether two controllers are the same. The controller that a delegate gets is the same as the one that it represents.
public func === <First, Second>(
  first: NSFetchedResultsController<First>?, second: NSFetchedResultsController<Second>
) -> Bool { first?.results === second.results }

/// Whether two controllers are not the same; see `===`.
public func !== <First, Second>(
  first: NSFetchedResultsController<First>, second: NSFetchedResultsController<Second>
) -> Bool { first.results !== second.results }

/// Whether two controllers are not the same; see `===`.
public func !== <First, Second>(
  first: NSFetchedResultsController<First>, second: NSFetchedResultsController<Second>?
) -> Bool { first.results !== second?.results }

/// Whether two controllers are not the same; see `===`.
public func !== <First, Second>(
  first: NSFetchedResultsController<First>?, second: NSFetchedResultsController<Second>
) -> Bool { first?.results !== second.results }

// The controller that a delegate gets may stand for the one that was made. Code that asks which it is means the latter; these
// are preferred to the standard library's operators for any two objects. Several of them, since only a better fit of optional
// and other arguments makes the compiler choose them.

/// Whether two controllers are the same; the one that a delegate gets is the same as the one that it stands for.
public func === <First, Second>(
  first: NSFetchedResultsController<First>, second: NSFetchedResultsController<Second>
) -> Bool { first.results === second.results }

/// Whether two controllers are the same; the one that a delegate gets is the same as the one that it stands for.
public func === <First, Second>(
  first: NSFetchedResultsController<First>, second: NSFetchedResultsController<Second>?
) -> Bool { first.results === second?.results }

/// Whether two controllers are the same; the one that a delegate gets is the same as the one that it stands for.
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

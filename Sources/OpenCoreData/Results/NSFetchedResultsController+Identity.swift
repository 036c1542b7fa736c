// The controller that a delegate gets may stand for the controller that the program made. These operators treat the two
// as the same controller, because code that compares them means the controller that was made. There is an operator for
// each combination of optional and other arguments: the compiler prefers them to the standard library's operators only
// if they fit the arguments better.

/// Whether two controllers are the same. The controller that a delegate gets counts as the controller that it stands
/// for.
public func === <First, Second>(
  first: NSFetchedResultsController<First>, second: NSFetchedResultsController<Second>
) -> Bool { first.results === second.results }

/// Whether two controllers are the same. The controller that a delegate gets counts as the controller that it stands
/// for.
public func === <First, Second>(
  first: NSFetchedResultsController<First>, second: NSFetchedResultsController<Second>?
) -> Bool { first.results === second?.results }

/// Whether two controllers are the same. The controller that a delegate gets counts as the controller that it stands
/// for.
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

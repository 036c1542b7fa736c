import Foundation
import OpenCocoaFoundation
import Synchronization

/// The contexts above a context: changes are read from the nearest one that has changed the object, and unchanged objects
/// are read from the store. For the queue of the context itself.
struct Ancestors {
  let context: NSManagedObjectContext

  @inline(__always)
  init(of context: NSManagedObjectContext) { self.context = context }

  /// The context at the top, which has the coordinator.
  var root: NSManagedObjectContext {
    var top = context
    while let parent = top.parentContext { top = parent }
    return top
  }

  /// Whether a store that the context reads may wait for a server.
  @inline(__always)
  var mayWaitForServer: Bool {
    let root = context.parentContext == nil ? context : root
    return root.storedCoordinator?.mayWaitForServer.load(ordering: .relaxed) ?? false
  }

  /// The number of contexts above.
  var count: Int { sequence(first: context, next: \.parentContext).reduce(-1) { count, _ in count + 1 } }

  /// Whether some context above has changes. Looks upwards from the parent, without entering one of them.
  @inline(__always)
  var haveChanges: Bool { context.parentContext != nil && someHasChanges }

  /// Whether the context or one above it has changes. Safe on every thread.
  var orContextHaveChanges: Bool { context.nesting.hasChanges.load(ordering: .acquiring) || haveChanges }

  private var someHasChanges: Bool {
    var ancestor = context.parentContext
    while let above = ancestor {
      if above.nesting.hasChanges.load(ordering: .acquiring) { return true }
      ancestor = above.parentContext
    }
    return false
  }

  /// The highest context above that has changes. Looks upwards from the parent, too.
  var highestChanged: NSManagedObjectContext? {
    var (ancestor, highest) = (context.parentContext, NSManagedObjectContext?.none)
    while let above = ancestor {
      if above.nesting.hasChanges.load(ordering: .acquiring) { highest = above }
      ancestor = above.parentContext
    }
    return highest
  }

  /// Runs `body` inside of all contexts above, so that none of them can change or be saved meanwhile; all know the same keys.
  func inside<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard let parentContext = context.parentContext else { return try body() }
    return try enteringIfConfined { () throws(Failure) -> Result in
      let result = try Ancestors(of: parentContext).ascend {
        (above: NSManagedObjectContext) throws(Failure) -> Result? in
        // `ascend` is inside of all contexts once it has reached the top.
        if above.parentContext != nil { return nil }
        let log = above.nesting.permanentKeys
        var below: NSManagedObjectContext? = context
        while let level = below {
          KeyExchange(of: level).absorb(log, upTo: log.count)
          below = level.parentContext
        }
        return try body()
      }
      guard let result else { raise(.internalInconsistency, "A chain of contexts has no end.") }
      return result
    }
  }

  /// Marks a context without a queue as entered. The calling thread may be one that has the parent's queue and acts for
  /// the thread of this context.
  func enteringIfConfined<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    context.isConfined && !ContextStack.contains(context) ? try Performer(in: context).entered(body) : try body()
  }
}

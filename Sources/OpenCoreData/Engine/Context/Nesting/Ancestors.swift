import Foundation
import OpenCocoaFoundation
import Synchronization

/// The contexts above one, as it knows them: what they have changed is asked of the nearest that has changed it, and what
/// none has changed is read from the store. On the queue of the context itself.
struct Ancestors {
  let context: NSManagedObjectContext

  @inline(__always)
  init(of context: NSManagedObjectContext) { self.context = context }

  /// The context that has the coordinator.
  var root: NSManagedObjectContext {
    var top = context
    while let parent = top.parentContext { top = parent }
    return top
  }

  /// How many they are.
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

  /// Runs `body` inside of all contexts above, while none of them can change or be saved; all know the same keys.
  func inside<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard let parentContext = context.parentContext else { return try body() }
    return try enteringIfConfined { () throws(Failure) -> Result in
      let result = try Ancestors(of: parentContext).ascend {
        (above: NSManagedObjectContext) throws(Failure) -> Result? in
        // From inside of the one at the top, the caller is inside of all.
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

  /// Marks a context without a queue as entered, while maybe another thread, which has the parent's queue, acts for the
  /// context's own.
  func enteringIfConfined<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    context.isConfined && !ContextStack.contains(context) ? try Performer(in: context).entered(body) : try body()
  }
}

import Foundation
import OpenCocoaFoundation
import Synchronization

// A context whose store is another context: it reads what that one shows, and saves into it.
extension NSManagedObjectContext {
  final var baseParent: NSManagedObjectContext? {
    get { parentContext }
    set {
      guard newValue !== parentContext else { return }
      if let newValue { checkParent(newValue) }
      if families.contains(where: { $0.tables.contains { !$0.all().isEmpty } }) {
        raise(.invalidArgument, "Context already has a coordinator;  cannot replace.")
      }
      endReadTransactions()
      readTransactions = ReadTransactions()
      families = []
      storedCoordinator = nil
      leaveParent()
      nestedKeys = NestedKeys()
      newValue?.nesting.children.wrappingAdd(1, ordering: .relaxed)
      parentContext = newValue
      // A context without objects has nothing that older keys could be the keys of.
      if newValue != nil {
        let log = rootContext.nesting.permanentKeys
        nestedKeys.log = log
        nestedKeys.seen = log.join(self, knowsAll: true)
      }
      merger.updateSource(for: self)
    }
  }

  private final func checkParent(_ parent: NSManagedObjectContext) {
    // Confinement contexts (0) have none.
    if parent.concurrencyType.rawValue == 0 {
      raise(
        .invalidArgument,
        "Parent NSManagedObjectContext must use either NSPrivateQueueConcurrencyType or NSMainQueueConcurrencyType.")
    }
    var ancestor: NSManagedObjectContext? = parent
    while let context = ancestor {
      if context === self {
        raise(.invalidArgument, "A context cannot be its own parent, nor a parent of one of its parents.")
      }
      ancestor = context.parentContext
    }
  }

  /// Called when the parent is given up, and by `deinit`.
  final func leaveParent() {
    guard let parentContext else { return }
    parentContext.nesting.children.wrappingSubtract(1, ordering: .relaxed)
    nestedKeys.log?.leave(self)
  }

  /// The context that has the coordinator.
  final var rootContext: NSManagedObjectContext {
    var context = self
    while let parent = context.parentContext { context = parent }
    return context
  }

  final func setCoordinator(_ coordinator: NSPersistentStoreCoordinator?) {
    if parentContext != nil {
      if coordinator === persistentStoreCoordinator { return }
      raise(.invalidArgument, "Context already has a coordinator;  cannot replace.")
    }
    if storedCoordinator != nil, storedCoordinator !== coordinator, !families.isEmpty { reset() }
    if storedCoordinator !== coordinator { advanceQueryGeneration() }
    storedCoordinator = coordinator
  }

  // MARK: The way up

  /// Whether some context above has changes. Looks upwards from the parent, without entering one of them.
  @inline(__always)
  final var ancestorsHaveChanges: Bool { parentContext != nil && someAncestorHasChanges }

  private final var someAncestorHasChanges: Bool {
    var ancestor = parentContext
    while let context = ancestor {
      if context.nesting.hasChanges.load(ordering: .acquiring) { return true }
      ancestor = context.parentContext
    }
    return false
  }

  /// The highest context above that has changes. Looks upwards from the parent, too.
  final var highestChangedAncestor: NSManagedObjectContext? {
    var (ancestor, highest) = (parentContext, NSManagedObjectContext?.none)
    while let context = ancestor {
      if context.nesting.hasChanges.load(ordering: .acquiring) { highest = context }
      ancestor = context.parentContext
    }
    return highest
  }

  /// Runs `body` inside of all contexts above, while none of them can change or be saved; all know the same keys.
  final func insideAncestors<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard let parentContext else { return try body() }
    return try enteringIfConfined { () throws(Failure) -> Result in
      let result = try parentContext.ascend { (context: NSManagedObjectContext) throws(Failure) -> Result? in
        // From inside of the one at the top, the caller is inside of all.
        if context.parentContext != nil { return nil }
        let log = context.nesting.permanentKeys
        var below: NSManagedObjectContext? = self
        while let level = below {
          level.absorb(log, upTo: log.count)
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
  final func enteringIfConfined<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    isConfined && !ContextStack.contains(self) ? try entered(body) : try body()
  }
}

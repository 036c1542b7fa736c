import Foundation
import OpenCocoaFoundation
import Synchronization

/// Gives a context another parent or coordinator. A context with a parent reads the values that the parent shows, and
/// saves into it.
struct ParentChange {
  private let context: NSManagedObjectContext

  init(of context: NSManagedObjectContext) { self.context = context }

  func set(_ newParent: NSManagedObjectContext?) {
    guard newParent !== context.parentContext else { return }
    if let newParent { checkParent(newParent) }
    if !context.identityMaps.haveNoObjects {
      raise(.invalidArgument, "Context already has a coordinator;  cannot replace.")
    }
    context.reads.end()
    context.readState.forgetAll()
    _ = context.identityMaps.removeAll()
    context.storedCoordinator = nil
    leave()
    context.nestedKeys = NestedKeys()
    newParent?.nesting.children.wrappingAdd(1, ordering: .relaxed)
    context.parentContext = newParent
    LiveObjects.note(context, parent: newParent, coordinator: nil)
    // Older keys do not matter to a context without objects.
    if newParent != nil {
      let log = Ancestors(of: context).root.nesting.permanentKeys
      context.nestedKeys.join(log, by: context)
    }
    context.merger.updateSource(for: context)
  }

  private func checkParent(_ parent: NSManagedObjectContext) {
    // Confinement contexts (raw value 0) have no queue.
    if parent.concurrencyType.rawValue == 0 {
      raise(
        .invalidArgument,
        "Parent NSManagedObjectContext must use either NSPrivateQueueConcurrencyType or NSMainQueueConcurrencyType.")
    }
    var ancestor: NSManagedObjectContext? = parent
    while let above = ancestor {
      if above === context {
        raise(.invalidArgument, "A context cannot be its own parent, nor a parent of one of its parents.")
      }
      ancestor = above.parentContext
    }
  }

  /// Called when the parent is given up, and by `deinit`.
  func leave() {
    guard let parentContext = context.parentContext else { return }
    parentContext.nesting.children.wrappingSubtract(1, ordering: .relaxed)
    context.nestedKeys.leave(context)
  }

  func setCoordinator(_ coordinator: NSPersistentStoreCoordinator?) {
    if context.parentContext != nil {
      if coordinator === context.persistentStoreCoordinator { return }
      raise(.invalidArgument, "Context already has a coordinator;  cannot replace.")
    }
    if context.storedCoordinator != nil, context.storedCoordinator !== coordinator, !context.identityMaps.isEmpty {
      context.reset()
    }
    if context.storedCoordinator !== coordinator { context.reads.advance() }
    context.storedCoordinator = coordinator
    LiveObjects.note(context, parent: nil, coordinator: coordinator)
  }
}

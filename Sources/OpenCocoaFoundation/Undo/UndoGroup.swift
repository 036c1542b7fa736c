/// One registered operation.
struct UndoAction {
  /// The identity of the target, which can be compared even while the target is being deallocated.
  let target: ObjectIdentifier
  let run: () -> Void
  var isDiscardable = false
}

/// Operations that are undone together, in the reverse of their order.
final class UndoGroup {
  enum Item {
    case action(UndoAction)
    case group(UndoGroup)
  }

  /// The reason why a group was begun.
  enum Origin {
    /// The program began it. Such a group is kept even if it is empty.
    case explicit
    /// The first registration within an event began it.
    case event
    /// It records the operations that an undo or redo registers.
    case recording
  }

  let origin: Origin
  var items: [Item] = []
  var actionName = ""
  var userInfo: [UndoManager.UserInfoKey: Any] = [:]

  init(_ origin: Origin) {
    self.origin = origin
  }

  /// Whether the group is not empty and all of its operations may be discarded.
  var isDiscardable: Bool {
    !items.isEmpty
      && items.allSatisfy { item in
        switch item {
        case .action(let action): action.isDiscardable
        case .group(let group): group.isDiscardable
        }
      }
  }

  /// Whether the group, or a group in it, has an operation.
  var hasActions: Bool {
    items.contains { item in
      switch item {
      case .action: true
      case .group(let group): group.hasActions
      }
    }
  }

  /// Sets whether the latest operation may be discarded.
  func setLatestIsDiscardable(_ isDiscardable: Bool) {
    switch items.last {
    case .action(var action):
      action.isDiscardable = isDiscardable
      items[items.count - 1] = .action(action)
    case .group(let group): group.setLatestIsDiscardable(isDiscardable)
    case nil: break
    }
  }

  /// Removes the operations of a target, and the nested groups that become empty.
  ///
  /// - Returns: The removed items. Releasing them may run code of the program, so the caller releases them when all changes
  ///   are done.
  func removeItems(of target: ObjectIdentifier) -> [Item] {
    var removed: [Item] = []
    var kept: [Item] = []
    for item in items {
      switch item {
      case .action(let action) where action.target == target: removed.append(item)
      case .action: kept.append(item)
      case .group(let group):
        let gone = group.removeItems(of: target)
        removed += gone
        if gone.isEmpty || !group.items.isEmpty { kept.append(item) } else { removed.append(item) }
      }
    }
    if !removed.isEmpty { items = kept }
    return removed
  }
}

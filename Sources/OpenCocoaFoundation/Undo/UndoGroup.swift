/// One registered operation.
struct UndoAction {
  /// Identifies the target even while it is being deallocated.
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

  /// Why a group was begun.
  enum Origin {
    /// Opened by the program, which is also told of groups that stayed empty.
    case explicit
    /// Opened by the first registration within an event.
    case event
    /// To record what an undo or redo reverses.
    case recording
  }

  let origin: Origin
  var items: [Item] = []
  var actionName = ""
  var userInfo: [UndoManager.UserInfoKey: Any] = [:]

  init(_ origin: Origin) {
    self.origin = origin
  }

  /// Whether the group has actions, and all of them may be discarded.
  var isDiscardable: Bool {
    !items.isEmpty
      && items.allSatisfy { item in
        switch item {
        case .action(let action): action.isDiscardable
        case .group(let group): group.isDiscardable
        }
      }
  }

  /// Marks the latest operation.
  func setLatestIsDiscardable(_ isDiscardable: Bool) {
    switch items.last {
    case .action(var action):
      action.isDiscardable = isDiscardable
      items[items.count - 1] = .action(action)
    case .group(let group): group.setLatestIsDiscardable(isDiscardable)
    case nil: break
    }
  }

  /// Takes out the operations of a target, and groups that are empty then.
  ///
  /// - Returns: What was taken out. To let it go may run code of the program, so the caller does that when all is done.
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

/// The groups of an undo manager: those that can be undone, those that can be redone, and those still open.
///
/// Releasing an operation may run code that uses the manager again. So the methods here release removed operations only after
/// all properties have been changed.
final class UndoStacks {
  private(set) var undo: [UndoGroup] = []
  private(set) var redo: [UndoGroup] = []
  /// The open groups, the outermost first.
  private(set) var open: [UndoGroup] = []
  /// The groups that were open when the running undo began.
  private var aside: [UndoGroup] = []
  /// The operations that are being undone or redone and have not run yet.
  private var running: [UndoGroup] = []
  /// The greatest number of groups on a stack; 0 means any number.
  var levels = 0 {
    didSet { trim() }
  }

  // MARK: Groups

  func begin(_ group: UndoGroup) {
    open.append(group)
  }

  /// Closes the innermost open group, and moves it to its parent or to a stack. An empty group is dropped unless the program
  /// began it.
  func end(undoing: Bool) {
    guard let group = open.popLast() else { return }
    if group.items.isEmpty, group.origin != .explicit { return }
    if let parent = open.last {
      parent.items.append(.group(group))
    } else if undoing {
      redo.append(group)
    } else {
      undo.append(group)
    }
    trim()
  }

  /// Runs `body` as if no group were open, so that the operations that it registers are recorded in groups of their own.
  func withOpenGroupsAside(_ body: () -> Void) {
    aside = open
    open = []
    body()
    open = aside
    aside = []
  }

  private func trim() {
    guard levels > 0 else { return }
    let removed = [Array(undo.dropLast(levels)), Array(redo.dropLast(levels))]
    if !removed[0].isEmpty { undo = undo.suffix(levels) }
    if !removed[1].isEmpty { redo = redo.suffix(levels) }
    withExtendedLifetime(removed) {}
  }

  // MARK: Operations

  func add(_ action: UndoAction) {
    open.last?.items.append(.action(action))
  }

  /// Removes and returns the group that an undo reverses: the last one in the open group, or on the stack if no group is open.
  func takeUndo() -> UndoGroup? {
    guard let current = open.last else { return undo.popLast() }
    guard case .group(let nested) = current.items.last else { return nil }
    current.items.removeLast()
    return nested
  }

  /// The groups that an action name is set for: the open groups, or else the last group that can be undone.
  var current: [UndoGroup] {
    open.isEmpty ? undo.suffix(1) : open
  }

  func takeRedo() -> UndoGroup? {
    redo.popLast()
  }

  /// Runs the operations of a group in reverse order. The operations of a nested group run at the place of the group.
  func run(_ group: UndoGroup) {
    let rest = UndoGroup(.recording)
    rest.items = group.items
    running.append(rest)
    while let item = rest.items.popLast() {
      switch item {
      case .action(let action): action.run()
      case .group(let nested): rest.items += nested.items
      }
    }
    running.removeLast()
  }

  // MARK: Removal

  func removeRedo() {
    let removed = redo
    redo = []
    withExtendedLifetime(removed) {}
  }

  /// Removes everything; open groups stay open.
  func removeAll() {
    let unfinished = open + aside + running
    let removed = (undo, redo, unfinished.map(\.items))
    undo = []
    redo = []
    for group in unfinished { group.items = [] }
    withExtendedLifetime(removed) {}
  }

  /// Removes the operations of a target, and the groups that become empty.
  func removeAll(of target: ObjectIdentifier) {
    let before = (undo, redo)
    var removed: [UndoGroup.Item] = []
    func isKept(_ group: UndoGroup) -> Bool {
      let gone = group.removeItems(of: target)
      removed += gone
      return gone.isEmpty || !group.items.isEmpty
    }
    undo = undo.filter(isKept)
    redo = redo.filter(isKept)
    for group in open + aside + running { removed += group.removeItems(of: target) }
    withExtendedLifetime((before, removed)) {}
  }
}

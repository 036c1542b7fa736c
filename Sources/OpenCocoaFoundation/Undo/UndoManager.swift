import Foundation
import Synchronization

/// Records operations that undo what a program does, and runs them on request.
///
/// Operations belong to groups, which may be nested; one undo reverses one top-level group. Operations that are registered
/// while an undo runs can be redone. A manager may be used by only one thread, or one queue, at a time.
///
/// Differs from Apple (D-UND-03): the group of an event is closed by the run loop of the thread that opened it. If no run loop
/// runs, for example on a queue, the group stays open until `undo()`; or set `groupsByEvent` to false. An operation cannot be
/// given as a target with a selector or as an invocation: register a closure.
open class UndoManager: NSObject {
  private let storedStacks = UndoStacks()
  /// Targets that have been deallocated. Their operations are removed at the next use of the manager.
  private let goneTargets = Mutex<[ObjectIdentifier]>([])
  private let hasGoneTargets = Atomic<Bool>(false)
  /// The number of calls of `disableUndoRegistration()` that are not taken back yet.
  private var disableCount = 0
  /// The number of groups that were open when an undo or redo began to record, including the recording group; else 0. The
  /// operations that it runs must not close these groups.
  var recordingLevel = 0
  /// The run loop that will close the event's group.
  var closingLoop: RunLoop?

  /// Makes an undo manager with nothing to undo.
  public override init() {}

  var stacks: UndoStacks {
    if hasGoneTargets.load(ordering: .acquiring) { forgetGoneTargets() }
    return storedStacks
  }

  private func forgetGoneTargets() {
    let targets = goneTargets.withLock { targets in
      hasGoneTargets.store(false, ordering: .relaxed)
      defer { targets = [] }
      return targets
    }
    for target in targets { storedStacks.removeAll(of: target) }
  }

  /// Removes the operations of a target that is being deallocated, at the next use of the manager. May be called on any thread.
  package final func forgetGoneTarget(_ target: AnyObject) {
    goneTargets.withLock { targets in
      targets.append(ObjectIdentifier(target))
      hasGoneTargets.store(true, ordering: .releasing)
    }
  }

  // MARK: Groups

  /// Begins a group within the open one, or within the event's group when `groupsByEvent` is true.
  ///
  /// A group that is ended without an operation in it is an action, too, which can be undone and redone.
  open func beginUndoGrouping() {
    prepareEventGroup()
    if !stacks.open.isEmpty { post(.NSUndoManagerCheckpoint) }
    openGroup(UndoGroup(.explicit))
  }

  /// Ends the innermost group. Stops the program when none was begun.
  open func endUndoGrouping() {
    guard stacks.open.count > recordingLevel else {
      raiseInvalidState("endUndoGrouping called with no matching begin")
    }
    closeGroup()
    // The event's own group could not be closed while this one was open.
    if stacks.open.count == 1, stacks.open[0].origin == .event { closeAfterEvent() }
  }

  /// The number of open groups.
  open var groupingLevel: Int { stacks.open.count }

  /// Whether the first operation of an event opens a group that is closed at the end of the event. The default is true.
  open var groupsByEvent = true

  /// The run loop modes in which the group of an event is closed. Initially it is only the default mode.
  open var runLoopModes: [RunLoop.Mode] = [.default] {
    didSet {
      closingLoop = nil
      if stacks.open.first?.origin == .event { closeAfterEvent() }
    }
  }

  /// The number of top-level groups that are kept; the oldest groups beyond it are removed. The default is 0, which keeps all.
  open var levelsOfUndo: Int {
    get { stacks.levels }
    set { stacks.levels = newValue }
  }

  // MARK: Registration

  /// Prevents the registration of operations until `enableUndoRegistration()` has been called as often as this method.
  open func disableUndoRegistration() {
    disableCount += 1
  }

  /// Takes back one call of `disableUndoRegistration()`. Stops the program when there was none.
  open func enableUndoRegistration() {
    guard disableCount > 0 else { raiseInvalidState("enableUndoRegistration called with no matching disable") }
    disableCount -= 1
  }

  /// Whether operations are registered.
  open var isUndoRegistrationEnabled: Bool { disableCount == 0 }

  /// Removes all operations and enables registration; open groups stay open.
  open func removeAllActions() {
    disableCount = 0
    stacks.removeAll()
  }

  /// Removes the operations of a target, and the groups that become empty.
  open func removeAllActions(withTarget target: Any) {
    stacks.removeAll(of: ObjectIdentifier(target as AnyObject))
  }

  // MARK: Undo and redo

  /// Closes the top-level group if it is open, and undoes the last top-level group.
  ///
  /// Stops the program if a group is open within the top-level group, and during an undo or redo.
  open func undo() {
    post(.NSUndoManagerCheckpoint)
    if isUndoing || isRedoing { raiseInvalidState("undo was called during an undo or redo") }
    if stacks.open.count > 1 { raiseInvalidState("undo was called with too many nested undo groups") }
    if stacks.open.count == 1 { endUndoGrouping() }
    undoNestedGroup()
  }

  /// Undoes the last group that was closed within the open one, or the last top-level group if none is open.
  ///
  /// Stops the program if operations were registered in the open group after the last nested group was closed, and during an
  /// undo or redo.
  open func undoNestedGroup() {
    post(.NSUndoManagerCheckpoint)
    if isUndoing || isRedoing { raiseInvalidState("undo was called during an undo or redo") }
    if case .action = stacks.open.last?.items.last { raiseInvalidState("undo was called before the group was closed") }
    guard let group = stacks.takeUndo() else { return }
    post(.NSUndoManagerWillUndoChange)
    isUndoing = true
    stacks.withOpenGroupsAside { perform(group) }
    isUndoing = false
    post(.NSUndoManagerDidUndoChange)
  }

  /// Redoes the group that was undone last, unless an operation was registered since then. Stops the program during an undo or
  /// redo.
  open func redo() {
    post(.NSUndoManagerCheckpoint)
    if isUndoing || isRedoing { raiseInvalidState("redo was called during an undo or redo") }
    guard let group = stacks.takeRedo() else { return }
    post(.NSUndoManagerWillRedoChange)
    isRedoing = true
    perform(group)
    isRedoing = false
    post(.NSUndoManagerDidRedoChange)
  }

  /// Whether there is a group to undo. An open group with an operation counts.
  open var canUndo: Bool { topUndoGroup != nil }

  /// Whether there is a group to redo. First posts the checkpoint notification, whose observers may register operations.
  open var canRedo: Bool {
    post(.NSUndoManagerCheckpoint)
    return !stacks.redo.isEmpty
  }

  /// The number of calls of `undo()` after which nothing is left to undo.
  open var undoCount: Int { stacks.undo.count + (openUndoGroup == nil ? 0 : 1) }

  /// The number of calls of `redo()` after which nothing is left to redo.
  open var redoCount: Int { stacks.redo.count }

  /// Whether an undo is running.
  open internal(set) var isUndoing = false

  /// Whether a redo is running.
  open internal(set) var isRedoing = false

  // MARK: Actions

  /// Sets the name of the action of the open groups, or of the last group to undo if none is open. An empty text removes the
  /// name.
  ///
  /// During an undo, it names the action that can be redone afterwards. Without this call, that action has the name of the
  /// undone one.
  open func setActionName(_ actionName: String) {
    for group in stacks.current { group.actionName = actionName }
  }

  /// Sets whether the operation that was registered last may be discarded when a document cannot be saved.
  open func setActionIsDiscardable(_ discardable: Bool) {
    stacks.current.last?.setLatestIsDiscardable(discardable)
  }

  /// Stores a value with the action of the open groups, or of the last group to undo if none is open. Nil removes the value.
  open func setActionUserInfoValue(_ info: Any?, forKey key: UserInfoKey) {
    for group in stacks.current {
      let replaced = group.userInfo[key]
      group.userInfo[key] = info
      withExtendedLifetime(replaced) {}
    }
  }

  /// The name of the action that an undo would reverse; empty if there is none.
  open var undoActionName: String { topUndoGroup?.actionName ?? "" }

  /// The name of the action that a redo would repeat; empty if there is none.
  open var redoActionName: String { stacks.redo.last?.actionName ?? "" }

  /// Whether all operations that an undo would reverse may be discarded.
  open var undoActionIsDiscardable: Bool { topUndoGroup?.isDiscardable ?? false }

  /// Whether all operations that a redo would repeat may be discarded.
  open var redoActionIsDiscardable: Bool { stacks.redo.last?.isDiscardable ?? false }

  /// Returns the value that is stored with the action that an undo would reverse.
  open func undoActionUserInfoValue(forKey key: UserInfoKey) -> Any? { topUndoGroup?.userInfo[key] }

  /// Returns the value that is stored with the action that a redo would repeat.
  open func redoActionUserInfoValue(forKey key: UserInfoKey) -> Any? { stacks.redo.last?.userInfo[key] }

  /// The names of all steps that can be undone and redone, the next one last. Nothing is posted and nothing changed.
  package final var namesOfSteps: (undo: [String], redo: [String]) {
    let isOpen = !isUndoing && storedStacks.open.contains { !$0.items.isEmpty }
    let open = isOpen ? storedStacks.open.prefix(1).map(\.actionName) : []
    return (storedStacks.undo.map(\.actionName) + open, storedStacks.redo.map(\.actionName))
  }

  // MARK: Menus

  /// The title of the menu item for undoing, such as "Undo Typing".
  open var undoMenuItemTitle: String { undoMenuTitle(forUndoActionName: undoActionName) }

  /// The title of the menu item for redoing, such as "Redo Typing".
  open var redoMenuItemTitle: String { redoMenuTitle(forUndoActionName: redoActionName) }

  /// Returns the title of a menu item that undoes an action. Override this to translate the title.
  open func undoMenuTitle(forUndoActionName actionName: String) -> String {
    actionName.isEmpty ? "Undo" : "Undo \(actionName)"
  }

  /// Returns the title of a menu item that redoes an action. Override this to translate the title.
  open func redoMenuTitle(forUndoActionName actionName: String) -> String {
    actionName.isEmpty ? "Redo" : "Redo \(actionName)"
  }
}

import Foundation
import Synchronization

/// Records operations that undo what a program does, and runs them on request.
///
/// Operations belong to groups, which may be nested; one undo reverses one top-level group. What is registered while an
/// undo runs can be redone. A manager is used by one thread, or one queue, at a time.
///
/// Differs from Apple (D-UND-03): the group of an event closes with the turn of the run loop of the thread that opened
/// it. Where no run loop runs, as on a queue, it stays open until `undo()`, or set `groupsByEvent` to false. Targets
/// with selectors and invocations do not exist: register a closure.
open class UndoManager: NSObject {
  private let storedStacks = UndoStacks()
  /// Targets that are gone, and whose operations go with the next use of the manager.
  private let goneTargets = Mutex<[ObjectIdentifier]>([])
  private let hasGoneTargets = Atomic<Bool>(false)
  /// The number of times that registration was disabled.
  private var disableCount = 0
  /// The number of open groups at which an undo or redo records; those below are not its operations' to close.
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

  /// Does what `removeAllActions(withTarget:)` does, at the manager's next use, for a target that is being deallocated on any
  /// thread.
  package final func forgetGoneTarget(_ target: AnyObject) {
    goneTargets.withLock { targets in
      targets.append(ObjectIdentifier(target))
      hasGoneTargets.store(true, ordering: .releasing)
    }
  }

  // MARK: Groups

  /// Begins a group within the open one, or within the event's group when `groupsByEvent` is true.
  ///
  /// A group that is ended without an operation in it counts as an action too.
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
    // The group of the event was kept open until this group was closed.
    if stacks.open.count == 1, stacks.open[0].origin == .event { closeAfterEvent() }
  }

  /// The number of open groups.
  open var groupingLevel: Int { stacks.open.count }

  /// Whether the first operation of an event opens a group that is closed with the event; true at first.
  open var groupsByEvent = true

  /// The modes of the run loop in which an event's group is closed; the default mode at first.
  open var runLoopModes: [RunLoop.Mode] = [.default] {
    didSet {
      closingLoop = nil
      if stacks.open.first?.origin == .event { closeAfterEvent() }
    }
  }

  /// The largest number of top-level groups, of which the oldest are removed first; 0, the default, keeps all.
  open var levelsOfUndo: Int {
    get { stacks.levels }
    set { stacks.levels = newValue }
  }

  // MARK: Registration

  /// Stops operations from being registered until `enableUndoRegistration()` is called as often.
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

  /// Forgets all operations and enables registration; open groups stay open.
  open func removeAllActions() {
    disableCount = 0
    stacks.removeAll()
  }

  /// Forgets the operations of a target, and groups that are empty then.
  open func removeAllActions(withTarget target: Any) {
    stacks.removeAll(of: ObjectIdentifier(target as AnyObject))
  }

  // MARK: Undo and redo

  /// Closes the top-level group if it is open, and undoes the last one.
  ///
  /// Stops the program when groups within it are open too, and during an undo or redo.
  open func undo() {
    post(.NSUndoManagerCheckpoint)
    if isUndoing || isRedoing { raiseInvalidState("undo was called during an undo or redo") }
    if stacks.open.count > 1 { raiseInvalidState("undo was called with too many nested undo groups") }
    if stacks.open.count == 1 { endUndoGrouping() }
    undoNestedGroup()
  }

  /// Undoes the last group that was closed within the open one, or the last top-level group if none is open.
  ///
  /// Stops the program when operations were registered after it in the open group, and during an undo or redo.
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

  /// Redoes the group that was undone last, if nothing was registered since. Stops the program during an undo or redo.
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

  /// Whether there is an operation to undo, in an open group too.
  open var canUndo: Bool { topUndoGroup != nil }

  /// Whether there is something to redo, after observers of the checkpoint have registered pending operations.
  open var canRedo: Bool {
    post(.NSUndoManagerCheckpoint)
    return !stacks.redo.isEmpty
  }

  /// The number of times that `undo()` can be called until nothing is left to undo.
  open var undoCount: Int { stacks.undo.count + (openUndoGroup == nil ? 0 : 1) }

  /// The number of times that `redo()` can be called until nothing is left to redo.
  open var redoCount: Int { stacks.redo.count }

  /// Whether an undo is running.
  open internal(set) var isUndoing = false

  /// Whether a redo is running.
  open internal(set) var isRedoing = false

  // MARK: Actions

  /// Names the action of the open group, or else of the last one; an empty text removes the name.
  ///
  /// During an undo it names the action that can be redone, which otherwise keeps the name of the undone one.
  open func setActionName(_ actionName: String) {
    for group in stacks.current { group.actionName = actionName }
  }

  /// Tells whether the operation that was registered last may be discarded when a document cannot be saved.
  open func setActionIsDiscardable(_ discardable: Bool) {
    stacks.current.last?.setLatestIsDiscardable(discardable)
  }

  /// Keeps a value with the action of the open group, or else of the last closed group; nil removes the value.
  open func setActionUserInfoValue(_ info: Any?, forKey key: UserInfoKey) {
    for group in stacks.current {
      let replaced = group.userInfo[key]
      group.userInfo[key] = info
      withExtendedLifetime(replaced) {}
    }
  }

  /// The name of the action that an undo would reverse; empty without one.
  open var undoActionName: String { topUndoGroup?.actionName ?? "" }

  /// The name of the action that a redo would repeat; empty without one.
  open var redoActionName: String { stacks.redo.last?.actionName ?? "" }

  /// Whether all that an undo would reverse may be discarded.
  open var undoActionIsDiscardable: Bool { topUndoGroup?.isDiscardable ?? false }

  /// Whether all that a redo would repeat may be discarded.
  open var redoActionIsDiscardable: Bool { stacks.redo.last?.isDiscardable ?? false }

  /// The value that was kept with the action that an undo would reverse.
  open func undoActionUserInfoValue(forKey key: UserInfoKey) -> Any? { topUndoGroup?.userInfo[key] }

  /// The value that was kept with the action that a redo would repeat.
  open func redoActionUserInfoValue(forKey key: UserInfoKey) -> Any? { stacks.redo.last?.userInfo[key] }

  // MARK: Menus

  /// The title of the menu item for undoing, such as "Undo Typing".
  open var undoMenuItemTitle: String { undoMenuTitle(forUndoActionName: undoActionName) }

  /// The title of the menu item for redoing, such as "Redo Typing".
  open var redoMenuItemTitle: String { redoMenuTitle(forUndoActionName: redoActionName) }

  /// The title of a menu item that undoes an action; override it to translate.
  open func undoMenuTitle(forUndoActionName actionName: String) -> String {
    actionName.isEmpty ? "Undo" : "Undo \(actionName)"
  }

  /// The title of a menu item that redoes an action; override it to translate.
  open func redoMenuTitle(forUndoActionName actionName: String) -> String {
    actionName.isEmpty ? "Redo" : "Redo \(actionName)"
  }
}

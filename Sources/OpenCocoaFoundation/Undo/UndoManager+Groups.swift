import Foundation

extension UndoManager {
  // MARK: Opening and closing

  func openGroup(_ group: UndoGroup) {
    stacks.begin(group)
    post(.NSUndoManagerDidOpenUndoGroup)
  }

  /// Closes the innermost group. Observers of the checkpoint notification may still add operations to it.
  func closeGroup() {
    post(.NSUndoManagerCheckpoint)
    let isDiscardable = stacks.open.last?.isDiscardable == true
    let userInfo = isDiscardable ? [NSUndoManagerGroupIsDiscardableKey: NSNumber(value: true)] : nil
    post(.NSUndoManagerWillCloseUndoGroup, userInfo)
    stacks.end(undoing: isUndoing)
    post(.NSUndoManagerDidCloseUndoGroup, userInfo)
  }

  func post(_ name: NSNotification.Name, _ userInfo: [AnyHashable: Any]? = nil) {
    NotificationCenter.default.post(name: name, object: self, userInfo: userInfo)
  }

  // MARK: Undoing and redoing

  /// Runs the operations of a group, and records the operations that they register as one group. An action that the program
  /// ended without operations can be redone as it could be undone, so that as many actions can be redone.
  func perform(_ group: UndoGroup) {
    let recording = UndoGroup(group.hasActions ? .recording : .explicit)
    recording.actionName = group.actionName
    openGroup(recording)
    let level = stacks.open.count
    recordingLevel = level
    stacks.run(group)
    while stacks.open.count > level { closeGroup() }
    recordingLevel = 0
    closeGroup()
  }

  /// The open top-level group if it, or an open group within it, has something to undo; nil during an undo.
  var openUndoGroup: UndoGroup? {
    guard !isUndoing, stacks.open.contains(where: { !$0.items.isEmpty }) else { return nil }
    return stacks.open.first
  }

  /// The group whose action a menu offers to undo: the open group, or else the latest closed one.
  var topUndoGroup: UndoGroup? { openUndoGroup ?? stacks.undo.last }

  // MARK: Groups of an event

  /// Opens a group for the event, unless a group is open or `groupsByEvent` is false.
  func prepareEventGroup() {
    guard groupsByEvent, stacks.open.isEmpty else { return }
    openGroup(UndoGroup(.event))
    closeAfterEvent()
  }

  /// Schedules the closing of the event's group on the current run loop.
  func closeAfterEvent() {
    let loop = RunLoop.current
    guard closingLoop !== loop else { return }
    closingLoop = loop
    let reference = ManagerReference(manager: self)
    loop.perform(inModes: runLoopModes) {
      guard let manager = reference.manager, manager.closingLoop === RunLoop.current else { return }
      manager.closingLoop = nil
      manager.eventEnded()
    }
  }

  /// Closes the event's group. If another group is open within it, it stays open; `endUndoGrouping()` of the inner group
  /// schedules its closing again.
  private func eventEnded() {
    guard groupsByEvent, stacks.open.count == 1, stacks.open[0].origin == .event else { return }
    closeGroup()
  }

  // MARK: For callers that know where an event ends

  /// Runs `register` within a group of its own, or within the open group if there is one.
  package func group(_ register: () -> Void) {
    if !stacks.open.isEmpty { return register() }
    openGroup(UndoGroup(.event))
    register()
    closeEventGroup()
  }

  /// Closes the event's group if it is the only open group and no undo or redo is running.
  package func closeEventGroup() {
    guard !isUndoing, !isRedoing, stacks.open.count == 1, stacks.open[0].origin == .event else { return }
    closeGroup()
  }

  // The run loop runs its blocks on the thread that uses the manager.
  private struct ManagerReference: @unchecked Sendable {
    weak var manager: UndoManager?
  }
}

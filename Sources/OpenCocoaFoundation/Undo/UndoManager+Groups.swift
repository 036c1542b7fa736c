import Foundation

extension UndoManager {
  // MARK: Opening and closing

  func openGroup(_ group: UndoGroup) {
    stacks.begin(group)
    post(.NSUndoManagerDidOpenUndoGroup)
  }

  /// Closes the innermost group; observers of the checkpoint may still add to it.
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

  /// Runs a group's operations, and records the operations that these register as one group.
  func perform(_ group: UndoGroup) {
    let recording = UndoGroup(.recording)
    recording.actionName = group.actionName
    openGroup(recording)
    let level = stacks.open.count
    recordingLevel = level
    stacks.run(group)
    while stacks.open.count > level { closeGroup() }
    recordingLevel = 0
    closeGroup()
  }

  /// The top-level group that is open, if there is something to undo in it or in one within it.
  var openUndoGroup: UndoGroup? {
    guard !isUndoing, stacks.open.contains(where: { !$0.items.isEmpty }) else { return nil }
    return stacks.open.first
  }

  /// The group whose action the menu offers to undo: the open group if there is one, otherwise the last closed one.
  var topUndoGroup: UndoGroup? { openUndoGroup ?? stacks.undo.last }

  // MARK: Groups of an event

  /// Opens the event's group unless a group is open.
  func prepareEventGroup() {
    guard groupsByEvent, stacks.open.isEmpty else { return }
    openGroup(UndoGroup(.event))
    closeAfterEvent()
  }

  /// Has the run loop close the event's group at the end of its turn.
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

  /// Closes the event's group. If another group is open within it, the event's group is closed after the turn that closes the
  /// other.
  private func eventEnded() {
    guard groupsByEvent, stacks.open.count == 1, stacks.open[0].origin == .event else { return }
    closeGroup()
  }

  // MARK: For those who know themselves where an event ends

  /// Registers within a group of its own, unless one is open.
  package func group(_ register: () -> Void) {
    if !stacks.open.isEmpty { return register() }
    openGroup(UndoGroup(.event))
    register()
    closeEventGroup()
  }

  /// Closes the event's group, if it is the one that is open.
  package func closeEventGroup() {
    guard !isUndoing, !isRedoing, stacks.open.count == 1, stacks.open[0].origin == .event else { return }
    closeGroup()
  }

  // The run loop runs its blocks on the thread that uses the manager.
  private struct ManagerReference: @unchecked Sendable {
    weak var manager: UndoManager?
  }
}

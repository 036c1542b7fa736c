import Foundation

extension UndoManager {
  /// Registers an operation that undoes a change; within an undo, one that redoes it.
  ///
  /// The target is not retained. Outside of an undo or redo, everything that could be redone is dropped. Without an open
  /// group, it opens one if `groupsByEvent` is true, and stops the program otherwise.
  ///
  /// Differs from Apple (D-UND-05): an operation whose target is gone keeps its place and does nothing.
  ///
  /// - Parameters:
  ///   - target: The object that the operation changes.
  ///   - handler: The operation, which gets the target.
  public func registerUndo<TargetType>(
    withTarget target: TargetType, handler: @escaping (TargetType) -> Void
  ) where TargetType: AnyObject {
    guard isUndoRegistrationEnabled else { return }
    prepareEventGroup()
    if stacks.open.isEmpty { raiseInvalidState("must begin a group before registering undo") }
    stacks.add(
      UndoAction(target: ObjectIdentifier(target)) { [weak target] in
        if let target { handler(target) }
      })
    if !isUndoing, !isRedoing { stacks.removeRedo() }
  }

  /// Stops the program as Apple's does when a method is called at the wrong time.
  func raiseInvalidState(_ reason: String, _ method: String = #function) -> Never {
    raise(.internalInconsistency, "\(method): \(type(of: self)) is in invalid state, \(reason)")
  }
}

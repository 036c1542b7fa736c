import Foundation

extension UndoManager {
  /// Registers an operation that undoes the current change. During an undo, it registers an operation that redoes the change.
  ///
  /// The target is not retained. Outside an undo or redo, all operations that could be redone are removed. If no group is open,
  /// one is opened for the event; if `groupsByEvent` is false, the program stops instead.
  ///
  /// Differs from Apple (D-UND-05): the operation of a target that has been released stays registered and does nothing.
  ///
  /// - Parameters:
  ///   - target: The object that the operation changes.
  ///   - handler: The operation, which is called with the target.
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

  /// Stops the program because a method was called at the wrong time. Apple's undo manager raises an exception there.
  func raiseInvalidState(_ reason: String, _ method: String = #function) -> Never {
    raise(.internalInconsistency, "\(method): \(type(of: self)) is in invalid state, \(reason)")
  }
}

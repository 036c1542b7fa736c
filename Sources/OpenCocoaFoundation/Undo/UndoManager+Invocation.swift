import Foundation

extension UndoManager {
  /// The result of `prepare(withInvocationTarget:)`. Setting a property of it, or calling `invoke`, registers an undo action.
  @dynamicMemberLookup
  public struct Invocation<Target: AnyObject> {
    let manager: UndoManager
    unowned let target: Target

    /// The target's property. Setting it does not change the property, but registers an undo action that sets this value.
    public subscript<Value>(dynamicMember keyPath: ReferenceWritableKeyPath<Target, Value>) -> Value {
      get { target[keyPath: keyPath] }
      nonmutating set { manager.registerUndo(withTarget: target) { $0[keyPath: keyPath] = newValue } }
    }

    /// Registers an undo action that runs a block with the target. In Objective-C a message to the target stands here.
    public func invoke(_ body: @escaping (Target) -> Void) {
      manager.registerUndo(withTarget: target, handler: body)
    }
  }

  /// Begins the registration of an undo action that changes a target.
  ///
  /// `undoManager.prepare(withInvocationTarget: self).name = name` registers an action that sets the name back.
  ///
  /// Differs from Apple (D-UND-01): without the Objective-C run time the next message cannot be recorded. The action is the
  /// next property that is set, or the block of `invoke(_:)`.
  public func prepare<Target: AnyObject>(withInvocationTarget target: Target) -> Invocation<Target> {
    Invocation(manager: self, target: target)
  }
}

import Foundation

extension UndoManager {
  /// The result of `prepare(withInvocationTarget:)`: setting a property of it, or calling `invoke`, registers an undo action.
  @dynamicMemberLookup
  public struct Invocation<Target: AnyObject> {
    let manager: UndoManager
    unowned let target: Target

    /// The target's property; setting it registers an action that sets it so, and leaves the property as it is.
    public subscript<Value>(dynamicMember keyPath: ReferenceWritableKeyPath<Target, Value>) -> Value {
      get { target[keyPath: keyPath] }
      nonmutating set { manager.registerUndo(withTarget: target) { $0[keyPath: keyPath] = newValue } }
    }

    /// Registers an action that runs a block with the target: where Objective-C sends the target a message.
    public func invoke(_ body: @escaping (Target) -> Void) {
      manager.registerUndo(withTarget: target, handler: body)
    }
  }

  /// Begins the registration of an undo action that does something to a target.
  ///
  /// `undoManager.prepare(withInvocationTarget: self).name = name` makes undoing set the name back.
  ///
  /// Differs from Apple (D-UND-01): without the Objective-C run time it is not the next message that is kept, but the
  /// next property that is set, or the block of `invoke(_:)`.
  public func prepare<Target: AnyObject>(withInvocationTarget target: Target) -> Invocation<Target> {
    Invocation(manager: self, target: target)
  }
}

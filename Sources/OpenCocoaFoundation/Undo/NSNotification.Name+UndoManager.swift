import Foundation

extension NSNotification.Name {
  /// Posted before a group is opened within another or closed, before an undo or redo, and when `canRedo` is read. An observer
  /// can now register operations that it has delayed.
  public static let NSUndoManagerCheckpoint = NSNotification.Name("NSUndoManagerCheckpointNotification")

  /// Posted before a group is undone.
  public static let NSUndoManagerWillUndoChange = NSNotification.Name("NSUndoManagerWillUndoChangeNotification")

  /// Posted before a group is redone.
  public static let NSUndoManagerWillRedoChange = NSNotification.Name("NSUndoManagerWillRedoChangeNotification")

  /// Posted after a group was undone.
  public static let NSUndoManagerDidUndoChange = NSNotification.Name("NSUndoManagerDidUndoChangeNotification")

  /// Posted after a group was redone.
  public static let NSUndoManagerDidRedoChange = NSNotification.Name("NSUndoManagerDidRedoChangeNotification")

  /// Posted after a group was opened.
  public static let NSUndoManagerDidOpenUndoGroup = NSNotification.Name("NSUndoManagerDidOpenUndoGroupNotification")

  /// Posted before a group is closed. `NSUndoManagerGroupIsDiscardableKey` is true if all operations in the group may be
  /// discarded.
  public static let NSUndoManagerWillCloseUndoGroup = NSNotification.Name("NSUndoManagerWillCloseUndoGroupNotification")

  /// Posted after a group was closed; it is safe to undo now. `NSUndoManagerGroupIsDiscardableKey` has the same value as before
  /// the group was closed.
  public static let NSUndoManagerDidCloseUndoGroup = NSNotification.Name("NSUndoManagerDidCloseUndoGroupNotification")
}

/// A key in the notifications of the closing of a group. Its value is a true number if all operations in the group may be
/// discarded; else it is absent.
public let NSUndoManagerGroupIsDiscardableKey = "NSUndoManagerGroupIsDiscardableKey"

/// The position in the order of a run loop's work at which the group of an event is closed.
///
/// Differs from Apple (D-UND-03): run loops on this platform have no such order, so the group is closed when the run loop runs
/// the blocks of `perform(inModes:block:)`.
public var NSUndoCloseGroupingRunLoopOrdering: Int { 350_000 }

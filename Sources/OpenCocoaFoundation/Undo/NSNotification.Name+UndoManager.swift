import Foundation

extension NSNotification.Name {
  /// Posted before a group is opened within another or closed, and when `canRedo` is read. Observers can register pending
  /// operations then.
  public static let NSUndoManagerCheckpoint = NSNotification.Name("NSUndoManagerCheckpointNotification")

  /// A group is about to be undone.
  public static let NSUndoManagerWillUndoChange = NSNotification.Name("NSUndoManagerWillUndoChangeNotification")

  /// A group is about to be redone.
  public static let NSUndoManagerWillRedoChange = NSNotification.Name("NSUndoManagerWillRedoChangeNotification")

  /// A group was undone.
  public static let NSUndoManagerDidUndoChange = NSNotification.Name("NSUndoManagerDidUndoChangeNotification")

  /// A group was redone.
  public static let NSUndoManagerDidRedoChange = NSNotification.Name("NSUndoManagerDidRedoChangeNotification")

  /// A group was opened.
  public static let NSUndoManagerDidOpenUndoGroup = NSNotification.Name("NSUndoManagerDidOpenUndoGroupNotification")

  /// A group is about to be closed; `NSUndoManagerGroupIsDiscardableKey` is true if all in it may be discarded.
  public static let NSUndoManagerWillCloseUndoGroup = NSNotification.Name("NSUndoManagerWillCloseUndoGroupNotification")

  /// A group was closed, and it is safe to undo; `NSUndoManagerGroupIsDiscardableKey` as before.
  public static let NSUndoManagerDidCloseUndoGroup = NSNotification.Name("NSUndoManagerDidCloseUndoGroupNotification")
}

/// The key of a number that tells, in the notifications of a group's closing, that all in the group may be discarded.
public let NSUndoManagerGroupIsDiscardableKey = "NSUndoManagerGroupIsDiscardableKey"

/// The place in the order of a run loop's turn at which the event's group is closed.
///
/// Differs from Apple (D-UND-03): run loops have no such order here; the group is closed with the blocks of
/// `perform(inModes:block:)`.
public var NSUndoCloseGroupingRunLoopOrdering: Int { 350_000 }

import Foundation

/// Why the values that an object shows have been replaced as a whole.
public struct NSSnapshotEventType: OptionSet, Sendable {
  /// The bits of the reasons, with Apple's values.
  public let rawValue: UInt

  /// Makes reasons of their bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// An insertion was undone.
  public static let undoInsertion = NSSnapshotEventType(rawValue: 2)
  /// A deletion was undone.
  public static let undoDeletion = NSSnapshotEventType(rawValue: 4)
  /// A change was undone.
  public static let undoUpdate = NSSnapshotEventType(rawValue: 8)
  /// The context was rolled back.
  public static let rollback = NSSnapshotEventType(rawValue: 16)
  /// The object was refreshed, its changes kept.
  public static let refresh = NSSnapshotEventType(rawValue: 32)
  /// A merge policy has resolved a conflict.
  public static let mergePolicy = NSSnapshotEventType(rawValue: 64)
}

extension NSManagedObject {
  /// Lets the class bring up to date what it derives from its values; values that the class sets here do not count as
  /// changes.
  final func awaken(from event: NSSnapshotEventType) {
    let wasAwakening = state.contains(.awakening)
    state.insert(.awakening)
    awake(fromSnapshotEvents: event)
    if !wasAwakening { state.remove(.awakening) }
  }
}

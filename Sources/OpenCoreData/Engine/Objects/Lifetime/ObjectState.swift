/// The flags of an object.
struct ObjectState: OptionSet {
  let rawValue: UInt32

  /// The object waits to be inserted by the next save.
  static let inserted = ObjectState(rawValue: 1)
  /// The object has changes that the next save writes.
  static let updated = ObjectState(rawValue: 2)
  /// The object waits to be deleted by the next save.
  static let deleted = ObjectState(rawValue: 4)
  /// The object has no row: it is new, or its row is gone. It is never a fault.
  static let hasNoRow = ObjectState(rawValue: 8)
  /// The object is inside awakeFromFetch: setters do not count as changes and leave the other ends of relationships alone.
  static let awakening = ObjectState(rawValue: 16)
  /// The object's delete rules have been applied.
  static let deletionPropagated = ObjectState(rawValue: 32)
  /// The object is in the context's list of changed objects.
  static let listed = ObjectState(rawValue: 64)
  /// willSave has been called in this save.
  static let saving = ObjectState(rawValue: 128)
  /// The fault could not be fulfilled: the row was gone.
  static let inaccessible = ObjectState(rawValue: 256)

  /// Key-value observing has to be told of the object's changes.
  static let observed = ObjectState(rawValue: 512)
  /// The context's current event has an entry for the object, with its former state and values.
  static let inEvent = ObjectState(rawValue: 1024)
  /// The object has been changed in the current event.
  static let changedInEvent = ObjectState(rawValue: 2048)
  /// The object has been refreshed in the current event.
  static let refreshed = ObjectState(rawValue: 4096)

  /// A batch insert fills the object in, row after row. Its changes are not announced to observers. Such an object is never in a
  /// list: see `isFilledIn`.
  static let filledIn = ObjectState(rawValue: 8192)
  /// For a listed object the same flag says something else, as there is room for 20 flags: `PendingObjects` has a record of the
  /// object, or had one, so that it has to be told of changes.
  static let recorded: ObjectState = [.listed, .filledIn]

  /// In a child context: the object's row or relationships name objects that have temporary keys.
  static let holdsTemporaryKeys = ObjectState(rawValue: 32768)

  /// A save of this child context has inserted the object, and the parent has not announced it yet.
  static let handedUp = ObjectState(rawValue: 65536)
  /// A child's save has inserted the object here, and nothing has changed it since.
  static let asPushed = ObjectState(rawValue: 262144)
  /// A child's save has inserted the object here, and something has changed it since.
  static let changedSincePush = ObjectState(rawValue: 524288)
  /// The object has a row, and was given to `insert(_:)` again: it counts as inserted until the next save.
  static let insertedAgain = ObjectState(rawValue: 131072)
  /// The object was inserted, and refreshed without its changes: it counts as a fault until it is read.
  static let putAside = ObjectState(rawValue: 16384)

  static let anyChange: ObjectState = [.inserted, .updated, .deleted]
  static let anyEvent: ObjectState = [.inEvent, .changedInEvent, .refreshed]

  /// Whether a batch insert fills the object in.
  @inline(__always)
  var isFilledIn: Bool { intersection(.recorded) == .filledIn }
}

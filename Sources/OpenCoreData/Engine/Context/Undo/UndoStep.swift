/// The changes that one registered action of an undo manager takes back. Values and members are kept as they were, not
/// as differences from rows: so saves, refreshes and merges between an event and its undoing do not matter. The step
/// keeps the objects alive, but not the context.
final class UndoStep {
  /// The events in their order. There are several where `willSave` has changed objects: what it does is undone with what
  /// was saved.
  var events: [ContiguousArray<UndoRecord>]

  init(_ records: ContiguousArray<UndoRecord>) { events = [records] }
}

/// The state of one object before an event, as far as the event has changed it.
struct UndoRecord {
  /// The kind of change.
  enum Kind {
    case insertion, deletion, update
  }

  let object: NSManagedObject
  let kind: Kind
  /// Whether the object had no changes.
  let wasClean: Bool
  /// The values that were different, of attributes and to-ones; a to-one's is an object or null.
  let values: [Value]
  /// The to-many relationships that had other members, or another order.
  let toManys: [ToMany]
  /// The whole state of a deleted object.
  let whole: Whole?

  /// The former values, in files that could not be read.
  var unread: [UnreadValue] { values.compactMap(\.unread) + (whole?.unread.map(\.value) ?? []) }
  var hasUnread: Bool { whole?.unread.isEmpty == false || values.contains { $0.unread != nil } }

  /// Whether there is nothing of the object itself to be put back: it was set to what it was, or others' records say what
  /// happened to it.
  var isHollow: Bool { kind == .update && values.isEmpty && toManys.isEmpty }

  /// The former value of an attribute or a to-one relationship.
  struct Value {
    /// The place of the property among the slots of the object's layout.
    let ordinal: Int
    private let known: StoredValue
    /// Where the value is in a file that could not be read: `value` is asked for again.
    let unread: UnreadValue?

    init(ordinal: Int, value: StoredValue, unread: UnreadValue? = nil) {
      (self.ordinal, known, self.unread) = (ordinal, value, unread)
    }

    var value: StoredValue { unread?.value ?? known }
  }

  /// The changes of a to-many relationship.
  struct ToMany {
    let ordinal: Int
    let gained: ContiguousArray<NSManagedObject>
    let lost: ContiguousArray<NSManagedObject>
    /// All members in their former order, where taking back added and removed members does not restore it.
    let order: ContiguousArray<NSManagedObject>?
  }

  /// The whole state of an object, for inserting it again.
  struct Whole {
    /// By slot; to-ones as in `values`. Null for those of `unread`.
    let values: ContiguousArray<StoredValue>
    /// The values in files that could not be read, by slot.
    let unread: [(slot: Int, value: UnreadValue)]
    /// By ordinal, in their order if they have one.
    let members: [(ordinal: Int, members: ContiguousArray<NSManagedObject>)]
  }
}

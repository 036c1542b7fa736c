/// The changes that one registered action of an undo manager takes back. Values and members are kept as they were, not
/// as differences from rows: so saves, refreshes and merges between an event and its undoing do not matter. The step
/// keeps the objects alive, but not the context.
final class UndoStep {
  /// The events in their order. There are several if `willSave` has changed objects: its changes are undone together with
  /// the changes that were saved.
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
  /// Whether the object had no changes before the event.
  let wasClean: Bool
  /// The former values of attributes and to-ones that differ; a to-one's value is an object or null.
  let values: [Value]
  /// The to-many relationships that had other members or another order.
  let toManys: [ToMany]
  /// The whole state of a deleted object.
  let whole: Whole?

  /// The former values that are in files which could not be read.
  var unread: [UnreadValue] { values.compactMap(\.unread) + (whole?.unread.map(\.value) ?? []) }
  var hasUnread: Bool { whole?.unread.isEmpty == false || values.contains { $0.unread != nil } }

  /// Whether the object itself has nothing to put back: it was set to equal values, or the records of other objects have
  /// the changes.
  var isHollow: Bool { kind == .update && values.isEmpty && toManys.isEmpty }

  /// The former value of an attribute or a to-one relationship.
  struct Value {
    /// The place of the property among the slots of the object's layout.
    let ordinal: Int
    private let known: StoredValue
    /// The reference to a file that could not be read, if the value is in one: reading it is tried again.
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
    /// All members in their former order, if taking back added and removed members does not restore the order.
    let order: ContiguousArray<NSManagedObject>?
  }

  /// The whole state of an object, for inserting it again.
  struct Whole {
    /// The values by slot, to-ones as in `UndoRecord.values`. The values listed in `unread` are null here.
    let values: ContiguousArray<StoredValue>
    /// The values in files that could not be read, by slot.
    let unread: [(slot: Int, value: UnreadValue)]
    /// The members of to-many relationships by ordinal, in their order if they have one.
    let members: [(ordinal: Int, members: ContiguousArray<NSManagedObject>)]
  }
}

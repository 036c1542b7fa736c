/// What one registered action of an undo manager takes back.
///
/// Values and members are kept as they were, not as differences of rows: so it does not matter what is saved, refreshed or
/// merged between an event and its undoing. The objects are kept alive, the context is not.
final class UndoStep {
  /// The events in their order. There are several where `willSave` has changed objects: what it does is undone with what
  /// was saved.
  var events: [ContiguousArray<UndoRecord>]

  init(_ records: ContiguousArray<UndoRecord>) { events = [records] }
}

/// What one object was before an event, as far as the event has changed that.
struct UndoRecord {
  /// What the event did to the object.
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
  /// All values of a deleted object.
  let whole: Whole?

  /// Whether there is nothing of the object itself to be put back: it was set to what it was, or others' records say what
  /// happened to it.
  var isHollow: Bool { kind == .update && values.isEmpty && toManys.isEmpty }

  /// What an attribute or a to-one was.
  struct Value {
    /// The place of the property among the slots of the object's layout.
    let ordinal: Int
    let value: StoredValue
  }

  /// What the event did to a to-many relationship.
  struct ToMany {
    let ordinal: Int
    let gained: ContiguousArray<NSManagedObject>
    let lost: ContiguousArray<NSManagedObject>
    /// All members in their order, where taking back what was gained and lost does not bring that back.
    let order: ContiguousArray<NSManagedObject>?
  }

  /// All that an object needs to be inserted again.
  struct Whole {
    /// By slot; to-ones as in `values`.
    let values: ContiguousArray<StoredValue>
    /// By ordinal, in their order if they have one.
    let members: [(ordinal: Int, members: ContiguousArray<NSManagedObject>)]
  }
}

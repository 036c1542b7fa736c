/// What an object remembers about itself beside its values.
struct ObjectState: OptionSet {
  let rawValue: UInt16

  /// Waits to be inserted by the next save.
  static let inserted = ObjectState(rawValue: 1)
  /// Has changes that the next save writes.
  static let updated = ObjectState(rawValue: 2)
  /// Waits to be deleted by the next save.
  static let deleted = ObjectState(rawValue: 4)
  /// No row stands behind it: new, or its row is gone. Never a fault.
  static let hasNoRow = ObjectState(rawValue: 8)
  /// Inside awakeFromFetch: setters do not count as changes and leave the other ends of relationships alone.
  static let awakening = ObjectState(rawValue: 16)
  /// Its delete rules have been applied.
  static let deletionPropagated = ObjectState(rawValue: 32)
  /// In the context's list of changed objects.
  static let listed = ObjectState(rawValue: 64)
  /// willSave has been called in this save.
  static let saving = ObjectState(rawValue: 128)
  /// The fault could not be fulfilled: the row was gone.
  static let inaccessible = ObjectState(rawValue: 256)

  /// Key-value observing has to be told of changes.
  static let observed = ObjectState(rawValue: 512)
  /// The context's current event has an entry for it, with what it had before.
  static let inEvent = ObjectState(rawValue: 1024)
  /// Has been changed in the current event.
  static let changedInEvent = ObjectState(rawValue: 2048)
  /// Has been refreshed in the current event.
  static let refreshed = ObjectState(rawValue: 4096)

  /// In a child context: its row or relationships name objects that have temporary keys.
  static let holdsTemporaryKeys = ObjectState(rawValue: 32768)

  static let anyChange: ObjectState = [.inserted, .updated, .deleted]
  static let anyEvent: ObjectState = [.inEvent, .changedInEvent, .refreshed]
}

/// The values an object owns because they were set since it was read, or because it is new.
final class ChangedValues {
  /// By slot; `.unset` where the snapshot has the value.
  @exclusivity(unchecked) var values: ContiguousArray<StoredValue>
  /// Slots set through primitive accessors alone, which do not count as changes.
  @exclusivity(unchecked) var untracked: Set<Int> = []
  /// The version of the row that the object had before it was deleted, and inserted again by undoing.
  var formerVersion: Int64 = 0

  init(_ values: ContiguousArray<StoredValue>) { self.values = values }

  /// Of a new object: what its entity has it start with.
  init(defaultsOf layout: EntityLayout) {
    let defaults = layout.defaults
    guard layout.hasPlainDefaults else {
      values = defaults
      return
    }
    // At once, and as bytes: the first value that is set would copy them one by one.
    values = ContiguousArray(unsafeUninitializedCapacity: defaults.count) { buffer, initialized in
      defaults.withUnsafeBytes { UnsafeMutableRawBufferPointer(buffer).copyMemory(from: $0) }
      initialized = defaults.count
    }
  }

  /// Of an object with a row: nothing is changed yet.
  init(unset count: Int) {
    // One by one: repeating a value copies it as if it might hold references.
    values = ContiguousArray(unsafeUninitializedCapacity: count) { buffer, initialized in
      for index in 0..<count { buffer.initializeElement(at: index, to: .unset) }
      initialized = count
    }
  }
}

extension NSManagedObject {
  /// The version that the row gets when it is written next.
  final var nextVersion: Int64 { (snapshot?.version ?? changes?.formerVersion ?? 0) &+ 1 }
}

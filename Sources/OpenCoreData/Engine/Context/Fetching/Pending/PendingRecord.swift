/// What is known of one changed object.
struct PendingRecord {
  /// How fetches treat an object.
  enum Role: UInt8 {
    /// The object has no changes, and its row counts.
    case none
    case inserted
    /// The object has a row, and changes of the values `touched`.
    case updated
    case deleted
    /// Each fetch asks the object, since something about it is uncommon.
    case other
  }

  /// Nil once the object has left the list of changed objects.
  var object: NSManagedObject?
  let entity: Int
  var role = Role.none
  /// The places of changed values.
  var touched = SlotMask()
  /// The places for whose lists the object was noted.
  var noted = SlotMask()
  /// The place among the new objects of the entity; -1 for none.
  var place = -1
  /// Whether the object was noted in the list of its entity for each of the roles.
  var listed: UInt8 = 0
  /// Whether the row that the object has read is known to be another than the store's.
  var isOutdated = false
  /// Whether the object waits for its row to be compared with the store's.
  var isUnverified = false
  /// Whether the object has changed since the record was made.
  var isPast = false

  init(_ object: NSManagedObject, entity: Int) {
    self.object = object
    self.entity = entity
  }

  /// The role of an object as it is now.
  static func role(of object: NSManagedObject) -> Role {
    let state = object.state
    let change = state.intersection(.anyChange)
    // Objects whose rows another context has deleted take no part in fetches.
    if change.isEmpty || state.contains(.inaccessible) { return .none }
    if change.contains(.deleted) { return .deleted }
    if change.contains(.inserted) { return object.changesReference == nil ? .other : .inserted }
    if state.contains(.hasNoRow) || state.contains(.insertedAgain) || object.key <= 0 { return .other }
    // A row without a commit is one of a context above, or was read at an unknown moment.
    guard let row = object.rowReference, row.read({ $0.commit > 0 }) else { return .other }
    return .updated
  }

  /// The places of the values that an object has of its own.
  static func touched(_ object: NSManagedObject) -> SlotMask {
    var mask = SlotMask()
    object.changesReference?.read { changes in
      for index in changes.values.indices where !changes.isUnset(at: index) { mask.insert(index) }
    }
    return mask
  }
}

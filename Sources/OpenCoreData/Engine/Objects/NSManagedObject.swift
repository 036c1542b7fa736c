import Foundation
import OpenCocoaFoundation

/// An object whose values an entity describes and a context looks after.
///
/// It belongs to its context's queue: use it inside that context's `perform`, or on the main thread for a main-queue
/// context. It may be released on any thread, and its ID, context and entity be asked for. A fault has an identity and no
/// values yet; reading a property fires it.
open class NSManagedObject: NSObject, NSKeyValueCoding {
  // The context's queue guards these properties, so the compiler's run-time exclusivity checks are left out. Those that the
  // object's ID is made of are read on every thread.
  /// `snapshot` and `changes`.
  @exclusivity(unchecked) private final var values = RowAndChanges()
  /// `relations` and `faultBatch`.
  @exclusivity(unchecked) final var links = ObjectLinks.none
  /// `table` and `state`.
  private final let place = TableAndState()
  /// `key`, shared for the reason that `TableAndState` gives.
  private final let keyWord = SharedWord(0)
  /// The layout, which the model keeps alive.
  final let layoutReference: Unmanaged<EntityLayout>

  /// Makes a new object of `entity` and, where a context is given, inserts it there.
  ///
  /// In a context it gets the entity's default values, a temporary ID and `awakeFromInsert`. Without one it is a bare
  /// object that `context.insert(_:)` can take later.
  ///
  /// Differs from Apple (D-SRC-12): an override says `required` in place of `override`, since Swift makes objects of
  /// classes that are known only at run time through `required` initialisers. The plugin `CoreDataRewriter` writes the
  /// word.
  public required init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
    layoutReference = entity.layoutReference
    super.init()
    if let context {
      if layout.isAbstract {
        raise(
          .internalInconsistency,
          "Cannot insert an object of the abstract entity '\(layout.name)': use one of its subentities.")
      }
      context.insert(self)
    }
  }

  /// Makes a new object of the entity whose class this is, in the context's model, and inserts it.
  ///
  /// A class that no entity of the model names uses the model's entity with the name of `entity()`.
  public required convenience init(context: NSManagedObjectContext) {
    self.init(entity: context.entity(for: Self.self), insertInto: context)
  }

  /// An object of an entity without properties, which no context takes; a line on the standard error says so.
  ///
  /// Code names this initialiser for objects that stand in for others, in tests for example.
  public override convenience init() {
    FrameworkLog.write("error: Failed to call designated initializer on NSManagedObject class '\(Self.self)'")
    self.init(entity: Self.standIn, insertInto: nil)
  }

  /// The entity of objects that stand in for others; objects do not keep their entity alive.
  private static let standIn = NSEntityDescription()

  /// The entity whose class this is, in the one model of the process that knows it best: the last one loaded.
  ///
  /// For a class that no model has it is an entity without name, and a line in the log says so.
  ///
  /// Differs from Apple (D-OBJ-05): where several models claim the class, the most recently used one answers instead of
  /// none.
  open class func entity() -> NSEntityDescription {
    guard let entity = ModelRegistry.entity(for: self) else {
      FrameworkLog.write(
        "error: No NSEntityDescriptions in any model claim the NSManagedObject subclass '\(self)' so +entity is confused. "
          + "Have you loaded your NSManagedObjectModel yet ?")
      return NSEntityDescription()
    }
    return entity
  }

  deinit {
    // Its relationships are let go of by `RelationStates`, in the same way.
    if let changes = values.changes { ReleasePool.release(changes) } else { values.row?.release() }
    if let table = place.table {
      let address = Unmanaged.passUnretained(self).toOpaque()
      table._withUnsafeGuaranteedRef { $0.remove(address, key) }
      table.release()
    }
  }

  /// The row, for accessors, which look into it without counting references.
  @inline(__always)
  final var rowReference: Unmanaged<Snapshot>? { values.row }

  /// The object's own values, for the same reason.
  @inline(__always)
  final var changesReference: Unmanaged<ChangedValues>? { values.changes }

  /// The identity map that knows this object: by way of it the context and the store. It also keeps the model alive.
  @inline(__always)
  final var table: IdentityMap? {
    get { place.table?.takeUnretainedValue() }
    set { place.set(newValue) }
  }

  /// The same, without counting a reference.
  @inline(__always)
  final var tableReference: Unmanaged<IdentityMap>? { place.table }

  @inline(__always)
  final var state: ObjectState {
    get { place.state }
    set { place.state = newValue }
  }

  /// Z_PK; below zero before the first save; 0 outside contexts.
  @inline(__always)
  final var key: Int64 {
    get { Int64(bitPattern: keyWord.own) }
    // A thread that sees the key sees the map that `attach` has set before it.
    set { keyWord.own = UInt64(bitPattern: newValue) }
  }

  /// The row as it was read; nil for a fault and for an object without a row.
  final var snapshot: Snapshot? {
    @inline(__always) get { values.row?.takeUnretainedValue() }
    set { values.set(newValue) }
  }

  /// The values that the object owns because they were set since it was read, or because it is new.
  final var changes: ChangedValues? {
    @inline(__always) get { values.changes?.takeUnretainedValue() }
    set { values.set(newValue) }
  }

  /// The shape of the object's entity.
  @inline(__always)
  final var layout: EntityLayout { layoutReference.takeUnretainedValue() }

  /// Whether no context has the object: it was never inserted, or has left.
  final var isDetached: Bool { table?.isLimbo ?? true }

  /// Whether a relationship that has not been changed may have the object as a member. In a child context, one with a
  /// temporary key may be the parent's.
  @inline(__always)
  final var mayBeStored: Bool { key > 0 || !state.contains(.hasNoRow) }

  /// Puts the object under the care of a context's identity map.
  final func attach(_ table: IdentityMap, _ key: Int64) {
    self.table = table
    self.key = key
  }

  /// The same, where the reference to the map has been retained for the object.
  @inline(__always)
  final func attach(retained table: Unmanaged<IdentityMap>, _ key: Int64) {
    place.set(retained: table)
    self.key = key
  }

  // MARK: What it is

  /// The entity that describes the object.
  public final var entity: NSEntityDescription { layout.entity }

  /// The context that the object is in; nil before insertion, after its deletion was saved, and once the context is gone.
  public final var managedObjectContext: NSManagedObjectContext? {
    place.sharedTable?._withUnsafeGuaranteedRef { $0.context }
  }

  /// The object's identity; temporary until it is saved or `obtainPermanentIDs(for:)` was called.
  public final var objectID: NSManagedObjectID {
    let key = Int64(bitPattern: keyWord.shared)
    let store = key > 0 ? place.sharedTable?._withUnsafeGuaranteedRef { $0.store } : nil
    return NSManagedObjectID(entity: layout.entity, store: store, key: key == 0 ? assignedKey() : key)
  }

  /// Whether the object's values have not been read, or have been put back.
  public final var isFault: Bool {
    checkQueue()
    return isUnread || state.contains(.putAside)
  }

  /// `isFault`, but for the check of the queue.
  @inline(__always)
  final var isUnread: Bool { rowReference == nil && !state.contains(.hasNoRow) }

  /// Whether it is a fault without values of its own, as nearly all are. This may be asked on every thread.
  @inline(__always)
  final var isPlainFault: Bool { values.isEmpty && !state.contains(.hasNoRow) }

  /// 0 when the object's values are there; another value for a fault, and while the object fires or turns into one.
  public final var faultingState: Int { isFault ? 1 : state.contains(.awakening) ? 2 : 0 }

  /// Whether the next save inserts the object.
  public final var isInserted: Bool {
    checkQueue()
    if state.contains(.deleted) { return false }
    return state.contains(.inserted) || state.isSuperset(of: [.insertedAgain, .updated])
  }

  /// Whether the next save updates the object's row.
  public final var isUpdated: Bool {
    checkQueue()
    return state.intersection([.updated, .deleted, .insertedAgain]) == .updated
  }

  /// Whether the next save deletes the object.
  public final var isDeleted: Bool {
    checkQueue()
    return state.contains(.deleted)
  }

  /// Whether the object is inserted, updated or deleted.
  public final var hasChanges: Bool {
    checkQueue()
    return isPending
  }

  /// `hasChanges`, for the context that goes through its objects.
  @inline(__always)
  final var isPending: Bool { !state.isDisjoint(with: .anyChange) }

  private final func assignedKey() -> Int64 {
    key = TemporaryKeys.make()
    return key
  }

  /// Identity, never content.
  public final override func isEqual(_ object: Any?) -> Bool {
    // Sets ask this for every collision, and a cast costs more than the rest. A class's payload in an existential is the
    // reference itself; that the value is of a class is looked at when the words are the same.
    let payload = withUnsafeBytes(of: object) { $0.load(as: UInt.self) }
    guard payload == UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()) else { return false }
    return object.map { type(of: $0) is AnyClass } ?? false
  }

  /// The object's address.
  public final override var hash: Int { Int(bitPattern: Unmanaged.passUnretained(self).toOpaque()) >> 4 }

  /// Tells class, entity, ID and, where they are there, the values; fires no fault.
  open override var description: String {
    let data =
      isUnread
      ? "<fault>"
      : "{\n"
        + layout.slots.filter { !$0.isElement }
        .map { "    \($0.name) = \(describe($0));" }.joined(separator: "\n") + "\n}"
    return
      "<\(type(of: self)): 0x\(String(hash << 4, radix: 16))> (entity: \(layout.name); id: \(objectID); data: \(data))"
  }

  private final func describe(_ slot: PropertySlot) -> String {
    if slot.property.hasSecretValues { return committedOrChanged(slot).isNull ? "nil" : SecretAttributes.redacted }
    return switch slot.kind {
    case .toMany: (relations?.states[slot.relationIndex] as? ToManyState)?.description ?? "<relationship fault>"
    case .toOne: committedOrChanged(slot).isNull ? "nil" : "<to-one>"
    case .composite: composite(slot) { boxed(committedOrChanged($0), $0) }.map { ValueText.of($0) } ?? "nil"
    case .date: describeDate(committedOrChanged(slot))
    default: ValueText.of(boxed(committedOrChanged(slot), slot))
    }
  }

  private final func describeDate(_ value: StoredValue) -> String {
    guard case .double(let seconds) = value else { return "nil" }
    // Foundation stops the program that prints a date which is none.
    return seconds.isFinite ? "\(Date(timeIntervalSinceReferenceDate: seconds))" : "\(seconds)"
  }

  // MARK: Key-value coding, for subclasses to override

  /// The value of a property: numbers and Booleans as NSNumber, a to-many relationship as an NSSet, or an NSOrderedSet if it
  /// is ordered.
  ///
  /// A computed property of the class has its key, too, where the class is compiled with a plugin of this package; one that
  /// is exposed to Objective-C stands before the entity's property of that name.
  ///
  /// A key that neither has stops the program, naming entity and key.
  open func value(forKey key: String) -> Any? { modelledValue(forKey: key) }

  /// Sets a property: any number type for a number, an object for a to-one, a set for a to-many relationship, which
  /// an array is not.
  ///
  /// An unknown key, and a value of the wrong type, stop the program, naming entity, key, expected and found.
  open func setValue(_ value: Any?, forKey key: String) { setModelledValue(value, forKey: key) }

  /// Called for a key that the entity does not have; the default stops the program.
  open func value(forUndefinedKey key: String) -> Any? {
    KeyValueCoding.valueForUndefinedKey(of: self, undefinedKeyError(key))
  }

  /// Called for a key that the entity does not have; the default stops the program.
  open func setValue(_ value: Any?, forUndefinedKey key: String) {
    raise(
      .undefinedKey,
      "[<\(type(of: self)) 0x\(String(hash << 4, radix: 16))> setValue:forUndefinedKey:]: the entity \(layout.name) is "
        + "not key value coding-compliant for the key \"\(key)\".")
  }

  /// The value that the object holds, without the calls around an access; fires the fault.
  ///
  /// That of a to-many relationship is an NSMutableSet, or an NSMutableOrderedSet if it is ordered: custom accessors change
  /// it between `willChangeValue` and `didChangeValue`, which keeps the other ends in step.
  open func primitiveValue(forKey key: String) -> Any? { modelledPrimitiveValue(forKey: key) }

  /// Sets the value that the object holds: no inverse is kept in step, and the object does not count as changed, unless
  /// `willChangeValue(forKey:)` comes before and `didChangeValue(forKey:)` after it.
  open func setPrimitiveValue(_ value: Any?, forKey key: String) { setModelledPrimitiveValue(value, forKey: key) }

  /// Announces that a property is about to be read; fires the fault. Call it in custom accessors.
  open func willAccessValue(forKey key: String?) {
    checkQueue(key ?? #function)
    if state.contains(.putAside) { state.remove(.putAside) }
    _ = realised
  }

  /// Ends what `willAccessValue(forKey:)` began.
  open func didAccessValue(forKey key: String?) {}

  /// The value at the end of a path of keys, which may contain collection operators such as `@count`.
  open func value(forKeyPath keyPath: String) -> Any? {
    EvaluatorQuestion.answering(self, otherwise: nil) { try KeyValueCoding.askedValue(of: self, forKeyPath: keyPath) }
  }

  /// Sets the property at the end of a path of keys, which may be an element of a composite attribute.
  open func setValue(_ value: Any?, forKeyPath keyPath: String) { setModelledValue(value, forKeyPath: keyPath) }

  /// Never called for modelled properties, which may all be nil until they are saved; the default stops the program.
  open func setNilValueForKey(_ key: String) { KeyValueCoding.nilForKey(key, of: self) }

  /// The values of some properties, with NSNull in place of nil.
  open func dictionaryWithValues(forKeys keys: [String]) -> [String: Any] {
    KeyValueCoding.dictionary(of: self, forKeys: keys)
  }

  /// Sets the properties that the keys of a dictionary name; NSNull sets nil.
  open func setValuesForKeys(_ keyedValues: [String: Any]) {
    KeyValueCoding.setValues(keyedValues, of: self)
  }

  // MARK: Key-value observing, for subclasses to override

  /// The key paths whose changes change a property, too: by default what the class method
  /// `keyPathsForValuesAffecting<Key>` gives, where a plugin of this package has listed one, else none.
  open class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
    ClassMembers.keyPathsAffecting(key, of: self)
  }

  /// Whether setting a property by its key has to tell observers: false for modelled properties, which do it themselves.
  open class func automaticallyNotifiesObservers(forKey key: String) -> Bool { !models(key) }

  /// Called when a value has changed that the object observes; the default stops the program.
  open func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    KeyValueObserving.unhandled(self, keyPath, object, change, context)
  }

  /// Announces that a property is about to be set through its primitive accessor; the object counts as changed.
  /// `didChangeValue(forKey:)` keeps the other ends of a relationship in step with what was set in between.
  open func willChangeValue(forKey key: String) {
    willChangeModelledValue(forKey: key)
    if state.contains(.observed) { KeyValueObserving.willChange(self, key, .setting) }
  }

  /// Ends what `willChangeValue(forKey:)` began, and tells observers.
  open func didChangeValue(forKey key: String) {
    didChangeModelledValue(forKey: key)
    if state.contains(.observed) { KeyValueObserving.didChange(self, key) }
  }

  /// Announces that members at some positions of an ordered relationship are about to be changed through its primitive value;
  /// the object counts as changed.
  open func willChange(_ changeKind: NSKeyValueChange, valuesAt indexes: IndexSet, forKey key: String) {
    willChangeModelledValue(forKey: key)
    if state.contains(.observed) { KeyValueObserving.willChange(self, key, .indexed(changeKind, indexes)) }
  }

  /// Ends what `willChange(_:valuesAt:forKey:)` began, and tells observers.
  open func didChange(_ changeKind: NSKeyValueChange, valuesAt indexes: IndexSet, forKey key: String) {
    didChangeValue(forKey: key)
  }

  /// Announces that members of a to-many relationship are about to be changed through its primitive set; the object counts
  /// as changed.
  open func willChangeValue(
    forKey key: String, withSetMutation mutationKind: NSKeyValueSetMutationKind, using objects: Set<AnyHashable>
  ) {
    willChangeModelledValue(forKey: key)
    if state.contains(.observed) {
      KeyValueObserving.willChange(self, key, .mutation(mutationKind, NSSet(array: Array(objects))))
    }
  }

  /// Ends what `willChangeValue(forKey:withSetMutation:using:)` began, and tells observers.
  open func didChangeValue(
    forKey key: String, withSetMutation mutationKind: NSKeyValueSetMutationKind, using objects: Set<AnyHashable>
  ) {
    didChangeValue(forKey: key)
  }

  /// Checks one value against the model's rules: presence, number and date limits, lengths, patterns, counts of members,
  /// predicates. Then the class's method `validate<Key>(_:)` is called if it has one that generated code lists. A save
  /// calls this for each property of a class that overrides it, but for to-many relationships that are not read.
  /// - Throws: the rule's code, 1550 to 1680, with key, value and object in userInfo; what the class's method throws.
  open func validateValue(_ value: Any?, forKey key: String) throws { try validateModelledValue(value, forKey: key) }

  /// As `validateValue(_:forKey:)` with the signature that it has on Apple's systems. An override, or the class's
  /// `validate<Key>(_:)`, may put another value in the place of what the pointer leads to; a save sets the property to it.
  /// - Throws: as the other one.
  open func validateValue(
    _ value: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey key: String
  ) throws {
    try validateModelledPointer(value, forKey: key)
  }

  // MARK: Life cycle, for subclasses to override

  /// Whether `willChangeValue(forKey:)` of a key that the entity does not have leaves the object unchanged: true. Where a
  /// class says false, it counts as updated then, and the next save calls its hooks.
  open class var contextShouldIgnoreUnmodeledPropertyChanges: Bool { true }

  /// Called once when the object was inserted and has its default values. Setters here count as part of the insertion.
  open func awakeFromInsert() {}

  /// Called when a fault has fired and the values are there. Setters here do not mark the object as changed.
  open func awakeFromFetch() {}

  /// Called when the object's values have been replaced as a whole: by undo, rollback, refresh or a merge policy. Setters
  /// here do not mark the object as changed.
  open func awake(fromSnapshotEvents flags: NSSnapshotEventType) {}

  /// Called at `context.delete(_:)`, before the delete rules are applied.
  open func prepareForDeletion() {}

  /// Called before a save writes the object; setters here are written too, and make it be called again.
  open func willSave() {}

  /// Called when a save has succeeded.
  open func didSave() {}

  /// Called before the values are let go.
  open func willTurnIntoFault() {}

  /// Called when the values have been let go.
  open func didTurnIntoFault() {}

  /// Called before an inserted object is written. What an override changes, here or in other objects, is validated and
  /// saved, too.
  /// - Throws: validation errors, codes 1550 to 1680; several at once as 1560 with `NSDetailedErrorsKey`. An override may
  ///   throw errors of any domain.
  open func validateForInsert() throws { try validateProperties() }

  /// Called before an updated object is written.
  /// - Throws: as `validateForInsert()`.
  open func validateForUpdate() throws { try validateProperties() }

  /// Called before a deleted object's row is removed.
  /// - Throws: 1600 where a relationship with the rule deny still has members.
  open func validateForDelete() throws { try validateDeletion() }
}

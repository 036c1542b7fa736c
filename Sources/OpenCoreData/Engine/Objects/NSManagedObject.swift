import Foundation
import OpenCocoaFoundation

/// An object whose values an entity describes and a context looks after. Subclass it for each entity; the build plugin
/// makes the classes of a model, or the bodies of your `@NSManaged` declarations (D-SRC-02).
///
/// There is one object for each row in a context, so two ways to a row end at the same object, and comparing is by
/// identity. An object that was found and not used yet is a **fault**: an identity without values, a few words of
/// memory. Reading a property fires it: the row comes from the cache, or by a statement that brings up to 255 others
/// that were found with it (D-OBJ-03).
///
/// ```swift
/// let entry = try fetchEntry("Tuesday", in: context)
/// print(entry.isFault, entry.words, entry.isFault)  // true 80 false
/// let tag = Tag(context: context)
/// tag.name = "new"
/// entry.addToTags(tag)
/// print(tag.entries?.count ?? 0)  // 1
/// ```
///
/// It belongs to its context's queue: use it inside that context's `perform`, or on the main thread for a main-queue
/// context. It may be released on any thread, and its ID, context and entity be asked for. Send `objectID`, never the
/// object, to another queue.
///
/// A fault whose context is gone, or whose store was removed, stops the program when it fires (D-OBJ-04); a fault whose
/// row is gone counts as deleted (``NSManagedObjectContext/shouldDeleteInaccessibleFaults``). Do not override `==`,
/// `hash`, or initialisers with parameters of your own: objects are made by the framework, too. Overrides of the
/// initialisers here say `required` (D-SRC-12).
///
/// See also ``NSManagedObjectContext``, ``NSEntityDescription``.
open class NSManagedObject: NSObject, NSFetchRequestResult, NSKeyValueCoding, ObservationMarked, PlacedProperties,
  PredicateIdentity, SQLObjectReference
{
  // The context's queue guards these properties, so the compiler's run-time exclusivity checks are left out. Every thread
  // may read those that make up the object's ID.
  /// `snapshot` and `changes`.
  @exclusivity(unchecked) private final var values = RowAndChanges()
  /// `relations` and `faultBatch`.
  @exclusivity(unchecked) final var links = ObjectLinks.none
  /// `table` and `state`.
  private final let place = TableAndState()
  /// `key`, shared for the reason that `TableAndState` gives.
  private final let keyWord = SharedWord(0)
  /// The layout, which the model keeps alive.
  final let layoutReference: Uncounted<EntityLayout>

  /// Makes a new object of `entity` and, where a context is given, inserts it there. The designated initialiser:
  /// subclasses override this one to set values that the model does not describe.
  ///
  /// Without a context it is a bare object, with no values and no place to be saved to, that
  /// ``NSManagedObjectContext/insert(_:)`` can take later; where there is a context, ``init(context:)`` is shorter.
  ///
  /// ```swift
  /// guard let entity = context.persistentStoreCoordinator?.managedObjectModel.entitiesByName["Entry"] else { return }
  /// let entry = Entry(entity: entity, insertInto: context)
  /// print(entry.isInserted, entry.rating)  // true 0
  /// ```
  ///
  /// In a context it gets the entity's default values, a temporary ID and `awakeFromInsert()`.
  ///
  /// Differs from Apple (D-SRC-12): an override says `required` in place of `override`, since Swift makes objects of
  /// classes that are known only at run time through `required` initialisers. The plugin `CoreDataRewriter` writes the
  /// word.
  /// - Parameters:
  ///   - entity: of the context's own model; an abstract one, of which there can be no objects, stops the program where
  ///     a context is given.
  ///   - context: where to insert the object; nil for nowhere yet.
  public required init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
    layoutReference = entity.layoutReference
    super.init()
    if let context { context.insert(self) }
  }

  /// Makes a new object of the class's entity in the context's model, and inserts it. The usual way to make one: no
  /// names, and the class that you wrote is the class that you get.
  ///
  /// The object has the entity's default values and a temporary ID; its row comes with the next save. Nothing is read
  /// or written here.
  ///
  /// ```swift
  /// let entry = Entry(context: context)
  /// entry.title = "Thursday"
  /// print(entry.objectID.isTemporaryID, entry.rating)  // true 0
  /// try context.save()
  /// print(entry.objectID.isTemporaryID)  // false
  /// ```
  ///
  /// A class that no entity of the model names uses the model's entity with the name of `entity()`; where there is
  /// none, the program stops. Call it on the context's queue.
  ///
  /// Differs from Apple (D-OBJ-05): it always means the entity of the context's own model, also where several models
  /// that name the class are loaded.
  ///
  /// See also ``NSManagedObjectContext/insert(_:)``, ``awakeFromInsert()``.
  public required convenience init(context: NSManagedObjectContext) {
    self.init(entity: context.entity(for: Self.self), insertInto: context)
  }

  /// An object of an entity without name and properties, which no context takes; a line on the standard error says so.
  ///
  /// Code names this initialiser for objects that stand in for others, in tests for example. Only what the class stores
  /// besides its managed properties can be used.
  public override convenience init() {
    FrameworkLog.write("error: Failed to call designated initializer on NSManagedObject class '\(Self.self)'")
    self.init(entity: Self.standIn, insertInto: nil)
  }

  /// The entity of objects that stand in for others. It is abstract, so that no context takes them.
  private static var standIn: NSEntityDescription { standInModel.entities[0] }

  /// Objects do not keep their entity alive, and entities not their model.
  private static let standInModel: NSManagedObjectModel = {
    let entity = NSEntityDescription()
    entity.isAbstract = true
    let model = NSManagedObjectModel()
    model.entities = [entity]
    model.prepare()
    return model
  }()

  /// The entity whose class this is, in the model of the process that was used last.
  ///
  /// It answers once a model that names the class is in use (a coordinator was made with it). For a class that no model
  /// has, it is an entity without a name, and a line in the log says so (D-OBJ-08). Where there is a context, use
  /// ``NSEntityDescription/entity(forEntityName:in:)``, which cannot be wrong about the model.
  ///
  /// ```swift
  /// print(Entry.entity().name ?? "none", Entry.entity().managedObjectClassName.hasSuffix("Entry"))  // Entry true
  /// ```
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
    // `RelationStates` releases the object's relationships in the same way.
    values.release()
    place.leave(ObjectIdentifier(self), key)
  }

  /// The row, for accessors, which look into it without counting references.
  @inline(__always)
  final var rowReference: Uncounted<Snapshot>? { values.row }

  /// The object's own values, for accessors, which look into them without counting references.
  @inline(__always)
  final var changesReference: Uncounted<ChangedValues>? { values.changes }

  /// The identity map that knows this object: by way of it the context and the store. It also keeps the model alive.
  @inline(__always)
  final var table: IdentityMap? {
    get { place.table?.counted }
    set { place.set(newValue) }
  }

  /// `table`, without counting a reference.
  @inline(__always)
  final var tableReference: Uncounted<IdentityMap>? { place.table }

  @inline(__always)
  final var state: ObjectState {
    get { place.state }
    set { place.state = newValue }
  }

  /// Z_PK; below zero before the first save; 0 outside contexts.
  @inline(__always)
  final var key: Int64 {
    get { Int64(bitPattern: keyWord.own) }
    // `attach` sets the map before the key, so a thread that sees the key also sees the map.
    set { keyWord.own = UInt64(bitPattern: newValue) }
  }

  /// The row as it was read; nil for a fault and for an object without a row.
  final var snapshot: Snapshot? {
    @inline(__always) get { values.row?.counted }
    @inline(__always) set {
      values.set(newValue)
      if state.contains(.recorded) { noteChangeOutsideOfEvent() }
    }
  }

  /// The values that the object owns because they were set since it was read, or because it is new.
  final var changes: ChangedValues? {
    @inline(__always) get { values.changes?.counted }
    set {
      values.set(newValue)
      if state.contains(.recorded) { noteChangeOutsideOfEvent() }
    }
  }

  /// The shape of the object's entity.
  @inline(__always)
  final var layout: EntityLayout { layoutReference.counted }

  /// Whether no context has the object: it was never inserted, or has left its context.
  final var isDetached: Bool { table?.isLimbo ?? true }

  /// Whether a relationship that has not been changed may have the object as a member. In a child context, an object with
  /// a temporary key may be a member in the parent.
  @inline(__always)
  final var mayBeStored: Bool { key > 0 || !state.contains(.hasNoRow) }

  /// Puts the object under the care of a context's identity map.
  final func attach(_ table: IdentityMap, _ key: Int64) {
    self.table = table
    self.key = key
  }

  /// Sets the map and uses one of the references that were counted in advance.
  @inline(__always)
  final func attach(_ table: ReferencesInAdvance<IdentityMap>, _ key: Int64) {
    place.set(table)
    self.key = key
  }

  // MARK: What it is

  /// The entity that describes the object: it tells which properties the object has, for code that handles objects of any
  /// kind. It may be asked for on every thread, and does not fire the fault.
  ///
  /// ```swift
  /// let object: NSManagedObject = try fetchEntry("Monday", in: context)
  /// let numbers = object.entity.attributesByName.filter { $0.value.attributeType == .integer32AttributeType }
  /// print(numbers.keys.map { "\($0): \(object.value(forKey: $0) ?? 0)" })  // ["words: 120"]
  /// ```
  ///
  /// It is the entity of the object itself, maybe a subentity of the one that was fetched.
  ///
  /// See also ``entity()``, ``NSManagedObjectID/entity``.
  public final var entity: NSEntityDescription { layout.entity }

  /// The context that the object is in; nil before insertion, after its deletion was saved, after a reset, and once the
  /// context is gone.
  ///
  /// A view or a helper that was handed only an object finds by it where to fetch and save. An object holds its context
  /// weakly: keep the context somewhere, or relationships of its objects cannot be walked any more (D-OBJ-04). It may be
  /// asked for on every thread; work with the context goes through `perform`.
  ///
  /// ```swift
  /// func sisters(of entry: Entry) throws -> Int {
  ///   guard let context = entry.managedObjectContext else { return 0 }
  ///   return try context.count(for: NSFetchRequest<Entry>(entityName: "Entry")) - 1
  /// }
  /// print(try sisters(of: fetchEntry("Monday", in: context)))  // 2
  /// ```
  public final var managedObjectContext: NSManagedObjectContext? {
    place.sharedTable?.read { $0.context }
  }

  /// The object's identity: a value that may go to other threads, into sets and, as a URI, out of the program. It does
  /// not fire the fault.
  ///
  /// Temporary until the object is saved or `obtainPermanentIDs(for:)` was called, and then another one: a temporary ID
  /// that was kept equals nothing later. In a child context it stays temporary until the context at the top is saved.
  ///
  /// ```swift
  /// let entry = Entry(context: context)
  /// entry.title = "Thursday"
  /// let temporary = entry.objectID
  /// try context.save()
  /// print(entry.objectID == temporary, entry.objectID.uriRepresentation().lastPathComponent)  // false p4
  /// ```
  ///
  /// See also ``NSManagedObjectContext/object(with:)``, ``NSManagedObjectID``.
  public final var objectID: NSManagedObjectID {
    let key = Int64(bitPattern: keyWord.shared)
    guard key > 0 else { return idWithoutKey(key) }
    return NSManagedObjectID(entity: layout.entity, store: place.sharedTable?.read { $0.store }, key: key)
  }

  /// The ID of an object that has no permanent key here. Another context of the tree may have given it one, which this
  /// context takes over when a block of it begins: until then the log of permanent keys says so, to any thread.
  private final func idWithoutKey(_ key: Int64) -> NSManagedObjectID {
    if key < 0, let entry = place.sharedTable?.read({ $0.permanentKey(of: key) }) {
      return NSManagedObjectID(entity: layout.entity, store: entry.store, key: entry.permanent)
    }
    return NSManagedObjectID(entity: layout.entity, store: nil, key: key == 0 ? assignedKey() : key)
  }

  /// Whether the object's values have not been read, or have been put back. Asking does not fire it.
  ///
  /// Rarely needed: a fault fires by itself. A fault need not cost a statement when it fires, since its row may be
  /// cached; ``CoreDataInstruments/counters`` tells what was read. An object with unsaved values of its own is no
  /// fault.
  ///
  /// ```swift
  /// let entry = try fetchEntry("Monday", in: context)
  /// print(entry.isFault)  // true
  /// _ = entry.title
  /// print(entry.isFault)  // false
  /// context.refresh(entry, mergeChanges: false)
  /// print(entry.isFault)  // true
  /// ```
  ///
  /// See also ``hasFault(forRelationshipNamed:)``, ``NSFetchRequest/returnsObjectsAsFaults``.
  public final var isFault: Bool {
    checkQueue()
    return isUnread || state.contains(.putAside)
  }

  /// `isFault` without the check of the queue.
  @inline(__always)
  final var isUnread: Bool { rowReference == nil && !state.contains(.hasNoRow) }

  /// Whether the object is a fault without values of its own, as nearly all faults are. This may be asked on every thread.
  @inline(__always)
  final var isPlainFault: Bool { values.isEmpty && !state.contains(.hasNoRow) }

  /// 0 when the object's values are there; 1 for a fault, 2 while it fires. For accessors that must not fire an object
  /// which is firing already; see ``isFault``.
  public final var faultingState: Int { isFault ? 1 : state.contains(.awakening) ? 2 : 0 }

  /// Whether the next save inserts the object. False once it is deleted again, even before the event has ended, and
  /// from the moment that it was saved: in `didSave()` already.
  ///
  /// ```swift
  /// let entry = Entry(context: context)
  /// entry.title = "Thursday"
  /// print(entry.isInserted)  // true
  /// try context.save()
  /// print(entry.isInserted)  // false
  /// ```
  ///
  /// See also ``NSManagedObjectID/isTemporaryID``, which stays true in a child context that was saved.
  public final var isInserted: Bool {
    checkQueue()
    if state.contains(.deleted) { return false }
    return state.contains(.inserted) || state.isSuperset(of: [.insertedAgain, .updated])
  }

  /// Whether the next save updates the object's row: a property was set since it was read or saved, or it was related
  /// to something else. Setting an equal value counts (D-OBJ-10); a transient attribute's counts, too, unless the class
  /// says otherwise (D-OBJ-02). New and deleted objects are not updated.
  ///
  /// ```swift
  /// let entry = try fetchEntry("Monday", in: context)
  /// entry.rating += 1
  /// print(entry.isUpdated, entry.changedValues().keys.sorted())  // true ["rating"]
  /// ```
  ///
  /// See also ``hasPersistentChangedValues``.
  public final var isUpdated: Bool {
    checkQueue()
    return state.intersection([.updated, .deleted, .insertedAgain]) == .updated
  }

  /// Whether the next save deletes the object. **False again once it was saved**: to know then, look whether
  /// ``managedObjectContext`` is nil. In `didSave()` it is still true.
  ///
  /// It does not tell that another context or program has deleted the row: that shows in a merge, when the fault fires,
  /// or in ``NSManagedObjectContext/existingObject(with:)``.
  ///
  /// ```swift
  /// let entry = try fetchEntry("Monday", in: context)
  /// context.delete(entry)
  /// print(entry.isDeleted)  // true
  /// try context.save()
  /// print(entry.isDeleted, entry.managedObjectContext == nil)  // false true
  /// ```
  ///
  /// See also ``NSManagedObjectContext/delete(_:)``.
  public final var isDeleted: Bool {
    checkQueue()
    return state.contains(.deleted)
  }

  /// Whether the object is inserted, updated or deleted: whether the next save has something to do for it.
  /// ``hasPersistentChangedValues`` tells whether a value differs.
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

  /// Compares identity, never content.
  public final override func isEqual(_ object: Any?) -> Bool {
    // Sets ask this for every collision, and a cast costs more than the rest.
    ExactValue.isReference(object, to: ObjectIdentifier(self))
  }

  /// The object's address.
  public final override var hash: Int { Int(bitPattern: ObjectIdentifier(self)) >> 4 }

  /// Tells class, entity, ID and, unless the object is a fault, the values; fires no fault.
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
    // Foundation stops a program that prints a date which is not finite.
    return seconds.isFinite ? "\(Date(timeIntervalSinceReferenceDate: seconds))" : "\(seconds)"
  }

  // MARK: Key-value coding, for subclasses to override

  /// The value of a property by its name: numbers and Booleans as NSNumber, a to-many relationship as an NSSet, or an
  /// NSOrderedSet if it is ordered; fires the fault.
  ///
  /// For names that are known at run time. Where the class is known, a typed property is faster and checked by the
  /// compiler. A set of a to-many is a copy in the hands of the caller; use ``mutableSetValue(forKey:)`` to change the
  /// relationship (but see D-REL-04).
  ///
  /// ```swift
  /// let object: NSManagedObject = try fetchEntry("Monday", in: context)
  /// print(object.value(forKey: "words") as? Int ?? 0)  // 120
  /// print((object.value(forKey: "tags") as? Set<Tag>)?.count ?? 0)  // 1
  /// ```
  ///
  /// A computed property of the class has its key, too, where the class is compiled with a plugin of this package
  /// (D-KVC-12); a property that is exposed to Objective-C takes precedence over the entity's property of that name
  /// (D-KVC-04).
  ///
  /// A key that neither has stops the program, naming entity and key; for keys from outside there is
  /// ``checkedValue(forKey:)``, which throws 1550.
  /// - Parameter key: the name of a property, not of a path: see ``value(forKeyPath:)``.
  open func value(forKey key: String) -> Any? { modelledValue(forKey: key) }

  /// Sets a property by its name, as its typed setter does: the object counts as updated, both ends of a relationship
  /// are kept in step, observers hear of it.
  ///
  /// For imports and editors that have names and values at run time. Any number type is taken for a number, `nil` and
  /// NSNull for none, an object for a to-one and a set for a to-many relationship, which an array is not. A number that
  /// does not fit its type stops the program; rules of the model, as limits, are checked by the save.
  ///
  /// ```swift
  /// let object = NSEntityDescription.insertNewObject(forEntityName: "Entry", into: context)
  /// object.setValue("Thursday", forKey: "title")
  /// object.setValue(250, forKey: "words")
  /// print((object as? Entry)?.words ?? 0)  // 250
  /// ```
  ///
  /// An unknown key, and a value of the wrong type, stop the program, naming entity, key, expected and found. For both
  /// from outside there is ``setCheckedValue(_:forKey:)``, which throws 1550 and changes nothing.
  /// - Parameters:
  ///   - value: the new value.
  ///   - key: the name of a property.
  open func setValue(_ value: Any?, forKey key: String) { setModelledValue(value, forKey: key) }

  /// Called for a key that the entity does not have; the default stops the program, naming both. Override it to give
  /// values for names of your own.
  open func value(forUndefinedKey key: String) -> Any? {
    KeyValueCoding.valueForUndefinedKey(of: self, undefinedKeyError(key))
  }

  /// Called for a key that the entity does not have; the default stops the program, naming both. Override it to take or
  /// to pass over names of your own.
  open func setValue(_ value: Any?, forUndefinedKey key: String) {
    raise(
      .undefinedKey,
      "[<\(type(of: self)) 0x\(String(hash << 4, radix: 16))> setValue:forUndefinedKey:]: the entity \(layout.name) is "
        + "not key value coding-compliant for the key \"\(key)\".")
  }

  /// The value that the object holds, without the calls around an access; fires the fault. For custom accessors, which
  /// call `willAccessValue(forKey:)` before and `didAccessValue(forKey:)` after it.
  ///
  /// That of a to-many relationship is an NSMutableSet, or an NSMutableOrderedSet if it is ordered: custom accessors
  /// change it between `willChangeValue` and `didChangeValue`, which keeps the other ends in step (D-REL-03).
  ///
  /// ```swift
  /// final class CountingEntry: Entry {
  ///   var characters: Int {
  ///     willAccessValue(forKey: "text")
  ///     defer { didAccessValue(forKey: "text") }
  ///     return (primitiveValue(forKey: "text") as? String)?.count ?? 0
  ///   }
  /// }
  ///
  /// let context = try diary(CountingEntry.self, of: "Entry")
  /// let entry = CountingEntry(context: context)
  /// entry.text = "Dear diary"
  /// print(entry.characters)  // 10
  /// ```
  ///
  /// Differs from Apple (D-OBJ-06): for a fault this is the property's value, and not nil. A key that the entity does not
  /// have stops the program.
  open func primitiveValue(forKey key: String) -> Any? { modelledPrimitiveValue(forKey: key) }

  /// Sets the value that the object holds, and nothing else: no inverse is kept in step, no setter of the class is
  /// called, and the object does not count as changed, unless `willChangeValue(forKey:)` comes before and
  /// `didChangeValue(forKey:)` after it.
  ///
  /// In `awakeFromInsert()`, `awakeFromFetch()` and `willSave()` it sets a value without marking the object. A value that
  /// is set like this is written only together with another change of the object, and is not recorded for undo.
  ///
  /// ```swift
  /// final class StampedEntry: Entry {
  ///   override func awakeFromInsert() {
  ///     super.awakeFromInsert()
  ///     setPrimitiveValue(Date(), forKey: "date")
  ///   }
  /// }
  ///
  /// let context = try diary(StampedEntry.self, of: "Entry")
  /// print(StampedEntry(context: context).date != nil)  // true
  /// ```
  ///
  /// Differs from Apple (D-KVC-18): observers are told.
  ///
  /// See also ``primitiveValue(forKey:)``.
  open func setPrimitiveValue(_ value: Any?, forKey key: String) { setModelledPrimitiveValue(value, forKey: key) }

  /// Announces that a property is about to be read; fires the fault. The first line of a custom getter that reads a
  /// primitive value.
  ///
  /// With nil it fires the fault and nothing else: a way to read an object's row now.
  ///
  /// ```swift
  /// let entry = try fetchEntry("Monday", in: context)
  /// entry.willAccessValue(forKey: nil)
  /// print(entry.isFault)  // false
  /// ```
  /// - Parameter key: the property, or nil.
  ///
  /// See also ``didAccessValue(forKey:)``, ``primitiveValue(forKey:)``.
  open func willAccessValue(forKey key: String?) {
    checkQueue(key ?? #function)
    if state.contains(.putAside) { state.remove(.putAside) }
    _ = realised
  }

  /// Ends what `willAccessValue(forKey:)` began. It does nothing here: call it for subclasses that override it, and so
  /// that the getter runs on Apple's systems as well.
  ///
  /// ```swift
  /// let entry = try fetchEntry("Monday", in: context)
  /// entry.willAccessValue(forKey: "words")
  /// print(entry.primitiveValue(forKey: "words") as? Int ?? 0)  // 120
  /// entry.didAccessValue(forKey: "words")
  /// ```
  open func didAccessValue(forKey key: String?) {}

  /// The value at the end of a path of keys, which may contain collection operators such as `@count`, `@sum` and
  /// `@distinctUnionOfObjects`.
  ///
  /// A path through a to-many gathers the values of all members, whose rows are read together, in memory. For an answer
  /// about many objects, a predicate or an expression of a fetch has the store do it.
  ///
  /// ```swift
  /// let entry = try fetchEntry("Monday", in: context)
  /// print(entry.value(forKeyPath: "pages.@count") as? Int ?? 0)  // 2
  /// print(entry.value(forKeyPath: "pages.text") as? NSOrderedSet as Any is NSOrderedSet)  // true
  /// ```
  ///
  /// A key that is not there stops the program, naming it.
  ///
  /// See also ``value(forKey:)``.
  open func value(forKeyPath keyPath: String) -> Any? {
    EvaluatorQuestion.answering(self, otherwise: nil) { try KeyValueCoding.askedValue(of: self, forKeyPath: keyPath) }
  }

  /// Sets the property at the end of a path of keys: through to-one relationships, or an element of a composite
  /// attribute. Where something on the way is nil, nothing is set; a key that is not there stops the program.
  ///
  /// ```swift
  /// let monday = try fetchEntry("Monday", in: context)
  /// let page = monday.pages?.firstObject as? Page
  /// page?.setValue(5, forKeyPath: "entry.rating")
  /// print(monday.rating)  // 5
  /// ```
  ///
  /// See also ``setValue(_:forKey:)``.
  open func setValue(_ value: Any?, forKeyPath keyPath: String) { setModelledValue(value, forKeyPath: keyPath) }

  /// Never called for modelled properties, which may all be nil until they are saved; the default stops the program.
  open func setNilValueForKey(_ key: String) { KeyValueCoding.nilForKey(key, of: self) }

  /// The values of some properties, with NSNull in place of nil. A key that is not there stops the program.
  open func dictionaryWithValues(forKeys keys: [String]) -> [String: Any] {
    KeyValueCoding.dictionary(of: self, forKeys: keys)
  }

  /// Sets the properties that the keys of a dictionary name; NSNull sets nil. At a value that does not fit, the program
  /// stops in the middle: for values from outside there is ``setCheckedValues(_:)``, which sets all or none.
  open func setValuesForKeys(_ keyedValues: [String: Any]) {
    KeyValueCoding.setValues(keyedValues, of: self)
  }

  // MARK: Key-value observing, for subclasses to override

  /// The key paths whose changes change a property, too: by default what the class method
  /// `keyPathsForValuesAffecting<Key>` gives, where a plugin of this package has listed one, else none.
  open class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
    ClassMembers.keyPathsAffecting(key, of: self)
  }

  /// Whether setting a property by its key has to tell observers: false for modelled properties, which tell them
  /// themselves.
  open class func automaticallyNotifiesObservers(forKey key: String) -> Bool { !models(key) }

  /// Called when a value that the object observes has changed; the default stops the program.
  open func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    KeyValueObserving.unhandled(self, keyPath, object, change, context)
  }

  /// Announces that a property is about to be set through its primitive accessor; the object counts as changed.
  /// `didChangeValue(forKey:)` keeps the other ends of a relationship in step with what was set in between (D-REL-03).
  ///
  /// For custom setters. Properties that are `@NSManaged`, generated or set by key do all this themselves.
  ///
  /// ```swift
  /// final class TrimmedEntry: Entry {
  ///   var trimmedTitle: String {
  ///     get { title ?? "" }
  ///     set {
  ///       willChangeValue(forKey: "title")
  ///       setPrimitiveValue(newValue.trimmingCharacters(in: .whitespaces), forKey: "title")
  ///       didChangeValue(forKey: "title")
  ///     }
  ///   }
  /// }
  ///
  /// let context = try diary(TrimmedEntry.self, of: "Entry")
  /// let entry = TrimmedEntry(context: context)
  /// entry.trimmedTitle = "  Monday "
  /// print(entry.title ?? "", entry.changedValues().keys.contains("title"))  // Monday true
  /// ```
  ///
  /// A key that the entity does not have leaves the object unchanged, unless the class says otherwise (D-OBJ-14).
  /// - Parameter key: the property.
  open func willChangeValue(forKey key: String) {
    willChangeModelledValue(forKey: key)
    if state.contains(.observed) { KeyValueObserving.willChange(self, key, .setting) }
  }

  /// Ends what `willChangeValue(forKey:)` began: relates or unrelates the other ends of a relationship that was set in
  /// between, and tells observers. The two come in pairs, nested if need be.
  ///
  /// ```swift
  /// let entry = try fetchEntry("Monday", in: context)
  /// let tag = Tag(context: context)
  /// entry.willChangeValue(forKey: "tags")
  /// (entry.primitiveValue(forKey: "tags") as? NSMutableSet)?.add(tag)
  /// entry.didChangeValue(forKey: "tags")
  /// print(tag.entries?.count ?? 0)  // 1
  /// ```
  ///
  /// See also ``setPrimitiveValue(_:forKey:)``.
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

  /// Checks one value against the model's rules: presence, number and date limits, lengths, patterns, counts of
  /// members, predicates. Then the class's method `validate<Key>(_:)` is called if it has one that generated code lists
  /// (D-OBJ-01). A save calls this for each property of a class that overrides it, but for to-many relationships that
  /// are not read (D-OBJ-07).
  ///
  /// An editor calls it before it sets what a user has typed, to say what is wrong at once.
  /// - Throws: the rule's code, 1550 to 1680, with key, value and object in userInfo; what the class's method throws.
  open func validateValue(_ value: Any?, forKey key: String) throws { try validateModelledValue(value, forKey: key) }

  /// As `validateValue(_:forKey:)` with the signature that it has on Apple's systems. An override, or the class's
  /// `validate<Key>(_:)`, may replace the value that the pointer leads to; a save sets the property to the new value.
  /// - Throws: the same errors as the other method.
  open func validateValue(
    _ value: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey key: String
  ) throws {
    try validateModelledPointer(value, forKey: key)
  }

  // MARK: Life cycle, for subclasses to override

  /// Whether `willChangeValue(forKey:)` of a key that the entity does not have leaves the object unchanged: true. Where a
  /// class returns false, the object counts as updated then, and the next save calls its hooks (D-OBJ-14).
  open class var contextShouldIgnoreUnmodeledPropertyChanges: Bool { true }

  /// Called once when the object was inserted and has its default values. Override it for values that the model cannot
  /// state: the date, an identifier.
  ///
  /// It is called in the object's own context only: not again in a parent that a child is saved to (D-CTX-20), and not
  /// for rows of a batch insert. Setters here count as part of the insertion. Relationships may be set, to objects of
  /// the same context. Call `super` first.
  ///
  /// ```swift
  /// final class NewEntry: Entry {
  ///   override func awakeFromInsert() {
  ///     super.awakeFromInsert()
  ///     title = "Untitled"
  ///     date = Date()
  ///   }
  /// }
  ///
  /// let context = try diary(NewEntry.self, of: "Entry")
  /// let entry = NewEntry(context: context)
  /// print(entry.title ?? "", entry.date != nil)  // Untitled true
  /// ```
  ///
  /// See also ``awakeFromFetch()``, ``NSAttributeDescription/defaultValue``.
  open func awakeFromInsert() {}

  /// Called each time a fault has fired and the values are there: a place to compute values from them that are kept in
  /// properties of the class. Setters here do not mark the object as changed; what they set is saved with another change
  /// only (D-OBJ-12). Do not fetch or walk relationships here: a list of a thousand would do it a thousand times.
  open func awakeFromFetch() {}

  /// Called when the object's values have been replaced as a whole: by undo, rollback, refresh or a merge policy.
  /// Setters here do not mark the object as changed; computed values are thrown away here.
  open func awake(fromSnapshotEvents flags: NSSnapshotEventType) {}

  /// Called at `context.delete(_:)`, before the delete rules are applied, while the object still has its values and
  /// relationships; by a cascade, too.
  ///
  /// Override it to remove what belongs to the object outside of the store, or better to note it here and remove it in
  /// `didSave()`, since the deletion may yet be rolled back. A batch delete does not call it, nor does a parent that a
  /// child's save hands a deletion to.
  ///
  /// ```swift
  /// final class LoudEntry: Entry {
  ///   override func prepareForDeletion() {
  ///     super.prepareForDeletion()
  ///     print("about to delete", title ?? "")  // about to delete Monday
  ///   }
  /// }
  ///
  /// let context = try diary(LoudEntry.self, of: "Entry")
  /// let entry = LoudEntry(context: context)
  /// entry.title = "Monday"
  /// context.delete(entry)
  /// ```
  ///
  /// See also ``validateForDelete()``, which may refuse the deletion.
  open func prepareForDeletion() {}

  /// Called before a save validates and writes the object, inserted, updated or deleted. Changes that are made here, to
  /// this object or others, are saved, too.
  ///
  /// **A setter here marks the object again, and has this called again**: set a value only if it differs, or use the
  /// primitive accessor. A save gives up after 1,000 rounds. Compute here the values that depend on others and are kept
  /// in the row.
  ///
  /// ```swift
  /// final class CountedEntry: Entry {
  ///   override func willSave() {
  ///     super.willSave()
  ///     let count = Int32(text?.split(separator: " ").count ?? 0)
  ///     if words != count { words = count }
  ///   }
  /// }
  ///
  /// let context = try diary(CountedEntry.self, of: "Entry")
  /// let entry = CountedEntry(context: context)
  /// entry.title = "Monday"
  /// entry.text = "It rained all day"
  /// try context.save()
  /// print(entry.words)  // 4
  /// ```
  ///
  /// If the object is deleted, do not change the object itself here. Do not save here: 132001.
  ///
  /// See also ``validateForUpdate()``, ``didSave()``.
  open func willSave() {}

  /// Called when a save has succeeded, with the transaction committed. `isDeleted` is still true for an object that was
  /// deleted, and its attributes have the values that its row had, also where it was deleted as a fault. Setting something
  /// here makes the context have changes again; saving here is refused with 132001.
  open func didSave() {}

  /// Called before a refresh or reset releases the object's values.
  open func willTurnIntoFault() {}

  /// Called when the object's values have been released: drop here what was computed of them.
  open func didTurnIntoFault() {}

  /// Called before an inserted object is written; checks every property. Override it for rules that concern several
  /// properties, call `super` first, and throw what does not hold. What an override changes, here or in other objects,
  /// is validated and saved, too.
  ///
  /// ```swift
  /// final class CarefulEntry: Entry {
  ///   override func validateForInsert() throws {
  ///     try super.validateForInsert()
  ///     if isPinned, rating == 0 {
  ///       let text = "What is pinned needs a rating."
  ///       throw CocoaError(.managedObjectValidation, userInfo: [NSLocalizedDescriptionKey: text])
  ///     }
  ///   }
  /// }
  ///
  /// let context = try diary(CarefulEntry.self, of: "Entry")
  /// let entry = CarefulEntry(context: context)
  /// entry.title = "Monday"
  /// entry.isPinned = true
  /// do { try context.save() } catch { print(error.localizedDescription) }  // What is pinned needs a rating.
  /// ```
  ///
  /// A rule of one property is better in the model, where editors and batch tools see it, or in
  /// `validateValue(_:forKey:)`. Batch inserts call nothing of this (D-BAT-07).
  /// - Throws: validation errors, codes 1550 to 1680; several at once as 1560 with `NSDetailedErrorsKey`. An override
  ///   may throw errors of any domain.
  ///
  /// See also ``validateForUpdate()``, ``NSManagedObjectContext/save()``.
  open func validateForInsert() throws { try validateProperties() }

  /// Called before an updated object is written; checks every property, changed or not, but for to-many relationships
  /// that were neither read nor changed (D-OBJ-07).
  ///
  /// ```swift
  /// let entry = try fetchEntry("Monday", in: context)
  /// entry.rating = 9  // the model allows 5 at most
  /// do { try entry.validateForUpdate() } catch { print((error as NSError).code) }  // 1610
  /// ```
  ///
  /// An override calls `super` first, as an override of ``validateForInsert()`` does; put a rule for both cases into a
  /// method that both call.
  /// - Throws: as `validateForInsert()`.
  open func validateForUpdate() throws { try validateProperties() }

  /// Called before a deleted object's row is removed. An override may refuse the deletion by throwing.
  /// - Throws: 1600 where a relationship with the rule deny still has members.
  open func validateForDelete() throws { try validateDeletion() }
}

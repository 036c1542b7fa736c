import Foundation
import OpenCocoaFoundation

/// The kinds of results of a batch insert, for ``NSBatchInsertRequest/resultType``. IDs are collected in memory: for very
/// many rows ask for their number.
public enum NSBatchInsertRequestResultType: UInt, Sendable {
  /// A Boolean, true where nothing was thrown. The default.
  case statusOnly = 0
  /// The IDs of the new rows, and of rows that a merge policy gave new values: contexts have to merge them.
  case objectIDs = 1
  /// The number of rows that were written.
  case count = 2
}

/// Writes new rows to the store in one transaction, without objects in a context: for imports.
///
/// ```swift
/// let rows = (1...1000).map { ["title": "Day \($0)", "words": $0] as [String: Any] }
/// let insert = NSBatchInsertRequest(entityName: "Entry", objects: rows)
/// insert.resultType = .count
/// let result = try context.execute(insert) as? NSBatchInsertResult
/// print(result?.result as? Int ?? 0)  // 1000
/// ```
///
/// Stores of SQLite and of servers can run it; others throw 134091 (D-BAT-01). Of several stores, the first that holds
/// the entity and can be written gets the rows. Rows have attributes only, no relationships; attributes that are not
/// given have their default values. `awakeFromInsert()` is not called. The fastest way is `managedObjectHandler`
/// (D-BAT-03); a sequence or a handler makes rows one at a time while they are written, so that no more than one is in
/// memory.
///
/// Presence and type of the values are checked, all other rules of the model are not (D-BAT-07). Nothing is written where
/// a row is refused: 1570 for a property that is not optional and has no value, to-one relationships included; 1550 for a
/// key that is no attribute's, and for a value of the wrong type; 1650 for an invalid date; each with the key under
/// `NSValidationKeyErrorKey` and the entity's name in the text.
///
/// Where another row has the same values and they must be unique, the context's merge policy decides: error throws 133021
/// with `NSConstraintConflict`s under `NSPersistentStoreSaveConflictsErrorKey`; store trump and rollback leave the
/// existing row unchanged; object trump gives the existing row the new values that were given; overwrite gives it all values,
/// so that attributes that were not given have their defaults afterwards.
///
/// See also ``NSManagedObjectContext/execute(_:mergingInto:)``.
open class NSBatchInsertRequest: NSPersistentStoreRequest, BatchRequest {
  private let storedEntityName: String
  final var storedEntity: NSEntityDescription?
  /// Begins a walk through the rows of a sequence; nil if the rows have another source.
  private final var sequence: (() -> () -> [String: Any]?)?

  /// Makes a request without entity, which cannot be executed.
  @available(*, deprecated, message: "Use init(entityName:objects:) instead.")
  public convenience override init() { self.init(entityName: "", objects: []) }

  /// Inserts rows of the entity of that name, which the executing context's model resolves: one dictionary of attributes
  /// for each row.
  ///
  /// ```swift
  /// let insert = NSBatchInsertRequest(entityName: "Tag", objects: [["name": "rain"], ["name": "snow"]])
  /// try context.execute(insert)
  /// print(try context.count(for: NSFetchRequest<Tag>(entityName: "Tag")))  // 4
  /// ```
  public init(entityName: String, objects dictionaries: [[String: Any]]) {
    storedEntityName = entityName
    objectsToInsert = dictionaries
    super.init()
  }

  /// Inserts rows of an entity: one dictionary of attributes for each row.
  public init(entity: NSEntityDescription, objects dictionaries: [[String: Any]]) {
    storedEntityName = entity.name ?? ""
    storedEntity = entity
    objectsToInsert = dictionaries
    super.init()
  }

  /// Inserts rows that `handler` fills in, as ``dictionaryHandler`` says, one at a time: for sources of any length.
  public convenience init(entityName: String, dictionaryHandler handler: @escaping (NSMutableDictionary) -> Bool) {
    self.init(entityName: entityName, objects: [])
    objectsToInsert = nil
    dictionaryHandler = handler
  }

  /// Inserts rows that `handler` fills in, as `dictionaryHandler` says.
  public convenience init(
    entity: NSEntityDescription, dictionaryHandler handler: @escaping (NSMutableDictionary) -> Bool
  ) {
    self.init(entity: entity, objects: [])
    objectsToInsert = nil
    dictionaryHandler = handler
  }

  /// Inserts rows that `handler` fills in, as ``managedObjectHandler`` says: the fastest way, and one that the compiler
  /// checks.
  ///
  /// ```swift
  /// let titles = ["Thursday", "Friday"]
  /// var next = 0
  /// let insert = NSBatchInsertRequest(entityName: "Entry") { (object: NSManagedObject) in
  ///   guard next < titles.count, let entry = object as? Entry else { return true }  // there are no more
  ///   entry.title = titles[next]
  ///   next += 1
  ///   return false
  /// }
  /// try context.execute(insert)
  /// print(try context.count(for: NSFetchRequest<Entry>(entityName: "Entry")))  // 5
  /// ```
  public convenience init(entityName: String, managedObjectHandler handler: @escaping (NSManagedObject) -> Bool) {
    self.init(entityName: entityName, objects: [])
    objectsToInsert = nil
    managedObjectHandler = handler
  }

  /// Inserts rows that `handler` fills in, as `managedObjectHandler` says.
  public convenience init(
    entity: NSEntityDescription, managedObjectHandler handler: @escaping (NSManagedObject) -> Bool
  ) {
    self.init(entity: entity, objects: [])
    objectsToInsert = nil
    managedObjectHandler = handler
  }

  /// Inserts rows that a sequence of dictionaries gives while they are written, none of which is kept: a file of any
  /// length, line by line.
  ///
  /// Not in Apple's framework (D-EXT-06).
  ///
  /// ```swift
  /// let lines = "rain\nsnow\nhail".split(separator: "\n")
  /// let rows = lines.lazy.map { ["name": String($0)] as [String: Any] }
  /// try context.execute(NSBatchInsertRequest(entityName: "Tag", sequence: rows))
  /// print(try context.count(for: NSFetchRequest<Tag>(entityName: "Tag")))  // 5
  /// ```
  @inlinable
  public convenience init(entityName: String, sequence: some Sequence<[String: Any]>) {
    self.init(entityName: entityName) {
      var rows = sequence.makeIterator()
      return { rows.next() }
    }
  }

  /// Inserts rows of an entity that a sequence of dictionaries gives while they are written, none of which is kept.
  ///
  /// Not in Apple's framework.
  @inlinable
  public convenience init(entity: NSEntityDescription, sequence: some Sequence<[String: Any]>) {
    self.init(entity: entity) {
      var rows = sequence.makeIterator()
      return { rows.next() }
    }
  }

  // The inlinable initialisers call these two, which need not know the sequences' types.

  @usableFromInline
  convenience init(entityName: String, begin: @escaping () -> () -> [String: Any]?) {
    self.init(entityName: entityName, objects: [])
    objectsToInsert = nil
    sequence = begin
  }

  @usableFromInline
  convenience init(entity: NSEntityDescription, begin: @escaping () -> () -> [String: Any]?) {
    self.init(entity: entity, objects: [])
    objectsToInsert = nil
    sequence = begin
  }

  /// The name of the entity whose rows are inserted.
  open var entityName: String { storedEntityName }

  /// The entity: the one that the request was made with, or that its name stood for when it was executed; nil before.
  open var entity: NSEntityDescription? { storedEntity }

  /// The rows, if the request was made with dictionaries; nil where a handler or a sequence gives them.
  open var objectsToInsert: [[String: Any]]?

  /// Fills in the empty dictionary of a row; true ends the request, and that dictionary is no row.
  ///
  /// It is called in the middle of the store's transaction: it may read from contexts, which see the rows from before,
  /// but writing to the same store fails.
  ///
  /// The dictionary is of a class of the framework's own, since Foundation's turns each key and value into an object and back.
  ///
  /// Differs from Apple (D-BAT-10): a cast of it to a Swift dictionary gives an empty one, as on Linux for any class but
  /// Foundation's own two; a cast of its `copy()` gives the contents.
  open var dictionaryHandler: ((NSMutableDictionary) -> Bool)?

  /// Fills in an object with the entity's default values; true ends the request, and that object is no row.
  ///
  /// The object is in no context, and is the same one for all rows. See `dictionaryHandler` for what the handler may do.
  open var managedObjectHandler: ((NSManagedObject) -> Bool)?

  /// The kind of the result; a status unless it is set.
  open var resultType: NSBatchInsertRequestResultType = .statusOnly

  open override var requestType: NSPersistentStoreRequestType { .batchInsertRequestType }

  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy =
      storedEntity.map { NSBatchInsertRequest(entity: $0, objects: []) }
      ?? NSBatchInsertRequest(entityName: storedEntityName, objects: [])
    copy.storesToAsk = affectedStores
    copy.objectsToInsert = objectsToInsert
    copy.dictionaryHandler = dictionaryHandler
    copy.managedObjectHandler = managedObjectHandler
    copy.sequence = sequence
    copy.resultType = resultType
    return copy
  }

  /// The source of the rows.
  final var source: BatchRows.Source {
    if let objectsToInsert {
      var iterator = objectsToInsert.makeIterator()
      return .dictionaries { iterator.next() }
    }
    if let sequence { return .dictionaries(sequence()) }
    if let dictionaryHandler { return .dictionaryHandler(dictionaryHandler) }
    if let managedObjectHandler { return .objectHandler(managedObjectHandler) }
    raise(.invalidArgument, "A batch insert needs objects or a handler; entity \(entityName) has none to insert.")
  }
}

/// The result of a batch insert, to which ``NSManagedObjectContext/execute(_:)``'s result is cast.
open class NSBatchInsertResult: NSPersistentStoreResult {
  /// A Boolean NSNumber, an array of IDs or a count NSNumber, as the result type says. Rows that existed already and got
  /// new values are among them; rows that were left out are not.
  public final let result: Any?
  /// The result type of the request, which tells the type of ``result``.
  public final let resultType: NSBatchInsertRequestResultType

  init(_ result: Any?, _ resultType: NSBatchInsertRequestResultType) {
    self.result = result
    self.resultType = resultType
    super.init()
  }
}

import Foundation
import OpenCocoaFoundation

/// Describes which objects to read, in what order, and how much of them. Nothing is read before a context executes it.
///
/// A request is a value in all but name: it can be kept, changed and executed again, by any context, though by one
/// thread at a time. A store prepares its statement once for each combination of predicate and order that it has seen,
/// so keep predicates rather than making equal ones anew.
///
/// ```swift
/// let request = NSFetchRequest<Entry>(entityName: "Entry")
/// request.predicate = NSPredicate(format: "words > %d", 100)
/// request.sortDescriptors = [NSSortDescriptor(key: "date", ascending: false)]
/// request.fetchLimit = 10
/// print(try context.fetch(request).map { $0.title ?? "" })  // ["Wednesday", "Monday"]
/// ```
///
/// `fetch` gives an array of the result type: the class of the objects, `NSManagedObjectID`, `NSDictionary` or `[String:
/// Any]`, or `NSNumber`, as ``resultType`` asks for.
///
/// Differs from Apple (D-SRC-13): requests of different result types do not convert by a cast; ``retyped(to:)`` does it.
///
/// See also ``NSManagedObjectContext/fetch(_:)-(NSFetchRequest<ResultType>)``, ``NSFetchedResultsController``.
open class NSFetchRequest<ResultType: NSFetchRequestResult>: NSPersistentStoreRequest, RunnableFetch, NSCoding {
  var storedEntityName: String?
  private var storedEntity: NSEntityDescription?
  package var objectClass: RequestedClass?

  /// Makes a request without an entity, which must be set before it is executed: without one, executing it stops the
  /// program.
  public required override init() {
    _ = FetchRequestArchive.registered
    super.init()
  }

  /// Decodes a request that was archived here or by Apple's framework; see `encode(with:)`.
  ///
  /// Gives nil, and sets an error of the coder (4864), for a damaged archive.
  public required init?(coder: NSCoder) {
    super.init()
    guard decodeFields(from: coder) else { return nil }
  }

  /// Makes a request for the objects of an entity: all of them, in no order, unless it is changed further.
  ///
  /// The name is resolved by the model of the context that executes it, so a request can be made before any model is
  /// loaded, and a name that the model does not have stops the program there. ``NSManagedObject/fetchRequest()`` needs
  /// no name.
  ///
  /// ```swift
  /// let request = NSFetchRequest<Tag>(entityName: "Tag")
  /// print(try context.fetch(request).compactMap(\.name).sorted())  // ["swift", "work"]
  /// ```
  /// - Parameter entityName: the entity's name in the model; objects of its subentities come, too
  ///   (``includesSubentities``).
  public convenience init(entityName: String) {
    self.init()
    storedEntityName = entityName
  }

  /// The entity whose objects are read. The context takes the entity of that name in its own model, where it has one.
  open var entity: NSEntityDescription? {
    get { storedEntity }
    set {
      storedEntity = newValue
      storedEntityName = newValue?.name
    }
  }

  /// The name of the entity; nil for a request that has none yet.
  open var entityName: String? { storedEntityName ?? objectClass?.entityName() }

  /// The condition for the objects; nil, as at first, for all.
  ///
  /// In SQLite and in a server the whole predicate becomes SQL, and a part that SQL cannot express is refused (134060,
  /// naming the part: D-PRE-11): blocks, `[index]` of a to-many, methods by name. Filter those in memory:
  /// `objects.filter(predicate.evaluate(with:))`. In stores of one file and in memory it is evaluated row by row.
  ///
  /// ```swift
  /// let request = NSFetchRequest<Entry>(entityName: "Entry")
  /// request.predicate = NSPredicate(format: "tags.@count == 2 AND title BEGINSWITH[c] %@", "tu")
  /// print(try context.fetch(request).map { $0.title ?? "" })  // ["Tuesday"]
  /// ```
  ///
  /// `==` on text compares every character, and can use an index; `CONTAINS`, `ENDSWITH`, `MATCHES` and `[cd]` look at
  /// every row. Give values by `%@`, never by pasting them into the format: quotes in a user's text would end it.
  ///
  /// See also ``NSEntityDescription/indexes``.
  open var predicate: NSPredicate?

  /// The order of the results; nil or empty, as at first, for any order, which may differ from one fetch to the next.
  ///
  /// The store sorts: keys are attributes, paths through to-one relationships, and computed columns that are fetched.
  /// Objects that are equal by all descriptors come in no particular order, so end with a unique key where pages follow
  /// each other by offset. A comparator block cannot be sorted by in SQL: 134060.
  ///
  /// ```swift
  /// let request = NSFetchRequest<Entry>(entityName: "Entry")
  /// request.sortDescriptors = [
  ///   NSSortDescriptor(key: "isPinned", ascending: false), NSSortDescriptor(key: "words", ascending: true),
  /// ]
  /// print(try context.fetch(request).map { $0.title ?? "" })  // ["Wednesday", "Tuesday", "Monday"]
  /// ```
  ///
  /// Text is compared by its characters (`A` before `a`), as `compare:` does, unless a descriptor has the selector
  /// `localizedStandardCompare:` or one of its kin. Differs from Apple (D-FET-16): `tags.@count` may be sorted by.
  open var sortDescriptors: [NSSortDescriptor]?

  /// The largest number of results; 0, as at first, and negative numbers mean no limit.
  ///
  /// The limit is SQL's `LIMIT`: with an order that an index has, the store stops reading there. With unsaved changes
  /// that might match, the store is asked for some more, so that the result still has as many as there are (D-FET-14).
  ///
  /// ```swift
  /// let request = NSFetchRequest<Entry>(entityName: "Entry")
  /// request.sortDescriptors = [NSSortDescriptor(key: "words", ascending: false)]
  /// request.fetchLimit = 1
  /// print(try context.fetch(request).first?.title ?? "none")  // Wednesday
  /// ```
  ///
  /// See also ``fetchOffset``, ``fetchBatchSize``, which is about memory and not about how much is found.
  open var fetchLimit = 0

  /// The number of results to leave out at the beginning; 0, as at first, for none.
  ///
  /// The store still finds the results that are left out and passes over them, so the hundredth page costs a hundred
  /// times the first, and rows that are inserted in between shift the pages. Where that matters, ask for the results
  /// behind the last one seen: `date < %@` with a limit. A request without an order has no first results to leave out.
  ///
  /// ```swift
  /// let request = NSFetchRequest<Entry>(entityName: "Entry")
  /// request.sortDescriptors = [NSSortDescriptor(key: "date", ascending: true)]
  /// request.fetchOffset = 2
  /// print(try context.fetch(request).map { $0.title ?? "" })  // ["Wednesday"]
  /// ```
  ///
  /// Offset and limit count over all that matches, unsaved changes included (D-FET-14).
  ///
  /// See also ``NSManagedObjectContext/fetchPages(_:keeping:)``.
  open var fetchOffset = 0

  /// The number of objects that are read at a time while the result is walked; 0, as at first, reads all rows with the fetch.
  ///
  /// With a batch size only the keys are read at first; the objects are faults, and the first one that is used reads the
  /// rows of a whole batch. Use it for long lists of which few objects are looked at. Walking all of the list costs a
  /// statement for each batch, which 0 saves.
  ///
  /// ```swift
  /// let request = NSFetchRequest<Entry>(entityName: "Entry")
  /// request.sortDescriptors = [NSSortDescriptor(key: "date", ascending: true)]
  /// request.fetchBatchSize = 2
  /// let entries = try context.fetch(request)
  /// let count = statements { _ = entries.map(\.words) }
  /// print(count)  // 2
  /// ```
  ///
  /// Differs from Apple (D-FET-02): the result is an array of faults, not a proxy that reads pages, so the objects of
  /// all results are made. ``NSManagedObjectContext/fetchPages(_:keeping:)`` gives a collection that keeps keys alone.
  /// It has no meaning for dictionaries (D-FET-12).
  open var fetchBatchSize = 0

  /// The kind of the results: objects (the default), their IDs, dictionaries, or a count. The request's type parameter
  /// has to fit, else the fetch throws 134060.
  ///
  /// Ask for IDs to hand a result to another queue, and for dictionaries where a few columns of many rows are shown and
  /// nothing is changed: they are made without objects, and only from the store's rows.
  ///
  /// ```swift
  /// let request = NSFetchRequest<NSManagedObjectID>(entityName: "Entry")
  /// request.resultType = .managedObjectIDResultType
  /// let ids = try context.fetch(request)
  /// let titles = await container.performBackgroundTask { context in
  ///   ids.map { (context.object(with: $0) as? Entry)?.title ?? "" }.sorted()
  /// }
  /// print(titles)  // ["Monday", "Tuesday", "Wednesday"]
  /// ```
  ///
  /// See also ``NSFetchRequestResultType``, ``propertiesToFetch``.
  open var resultType: NSFetchRequestResultType = .managedObjectResultType

  /// Whether objects of entities that inherit from the entity are read, too. True at first; false asks for objects of
  /// exactly this entity.
  ///
  /// They lie in one table, so this costs no more than a condition. The objects come with their own classes.
  ///
  /// ```swift
  /// let request = NSFetchRequest<Entry>(entityName: "Entry")
  /// request.includesSubentities = false
  /// print(try context.count(for: request))  // 3
  /// ```
  ///
  /// See also ``NSEntityDescription/subentities``.
  open var includesSubentities = true

  /// Whether the rows' values are read with the keys. True at first.
  ///
  /// False reads only keys: for objects that will just be deleted, counted or related to something. An object whose
  /// values are used all the same reads them then, with up to 255 others of the result. It matters for objects and IDs.
  ///
  /// ```swift
  /// let request = NSFetchRequest<Entry>(entityName: "Entry")
  /// request.includesPropertyValues = false
  /// let entries = try context.fetch(request)
  /// print(entries.count, statements { _ = entries[0].title })  // 3 1
  /// ```
  ///
  /// See also ``fetchBatchSize``, which implies it until the objects are used.
  open var includesPropertyValues = true

  /// Whether changes that are not saved yet are taken into account. True at first; dictionaries show the store alone in
  /// any case.
  ///
  /// With true, changed objects are matched in memory, and the current event ends first. With false, the result is what
  /// the store has: an object that was deleted here and not saved is found, a changed one is found by its old values,
  /// though it shows its new ones.
  ///
  /// ```swift
  /// let request = NSFetchRequest<Entry>(entityName: "Entry")
  /// context.delete(try fetchEntry("Monday", in: context))
  /// print(try context.count(for: request))  // 2
  /// request.includesPendingChanges = false
  /// print(try context.count(for: request))  // 3
  /// ```
  ///
  /// In a child context, false reads from the store, too, without the parent's changes (D-CTX-20).
  open var includesPendingChanges = true

  /// Whether objects that are realised already get the store's present values, under changes of their own. False at
  /// first: a fetch finds an object by its new values, and the object goes on showing those that it read before.
  open var shouldRefreshRefetchedObjects = false

  /// The contents of dictionaries: attributes and to-one relationships, by their names, by key paths through to-one
  /// relationships or as descriptions, and ``NSExpressionDescription``s. Nil, as at first, for all attributes.
  ///
  /// They are the columns of the statement: other columns are not read. A to-one relationship comes as its object's ID.
  /// Values that are nil are left out of the dictionary. An aggregate makes one dictionary of all rows, unless
  /// ``propertiesToGroupBy`` groups them.
  ///
  /// ```swift
  /// let request = NSFetchRequest<[String: Any]>(entityName: "Entry")
  /// request.resultType = .dictionaryResultType
  /// request.propertiesToFetch = ["title", "words"]
  /// request.predicate = NSPredicate(format: "isPinned == YES")
  /// print(try context.fetch(request).first?["words"] as? Int ?? 0)  // 200
  /// ```
  ///
  /// A property that does not fit the entity makes the fetch throw 134060, naming entity and property; so does a name
  /// that is given twice, and an aggregate beside plain properties without a group (D-FET-05).
  ///
  /// Differs from Apple (D-FET-04): it may be set before the entity. It has no effect on objects, which are always read
  /// whole (D-FET-12).
  open var propertiesToFetch: [Any]?

  /// Whether equal dictionaries come only once: SQL's `DISTINCT`, over the columns of ``propertiesToFetch``. It has no
  /// meaning for other result types. False at first.
  ///
  /// ```swift
  /// let request = NSFetchRequest<[String: Any]>(entityName: "Entry")
  /// request.resultType = .dictionaryResultType
  /// request.propertiesToFetch = ["isPinned"]
  /// request.returnsDistinctResults = true
  /// print(try context.fetch(request).count)  // 2
  /// ```
  ///
  /// See also ``propertiesToGroupBy``, which also counts and sums equal rows.
  open var returnsDistinctResults = false

  /// For dictionaries: the properties in which the rows of a group are equal, given as in ``propertiesToFetch``. Other
  /// fetched columns must be aggregates of the group. Nil, as at first, for none.
  ///
  /// Sums and counts by category in one statement, where a loop over objects would read every row.
  ///
  /// ```swift
  /// let words = NSExpressionDescription()
  /// words.name = "sum"
  /// words.expression = NSExpression(format: "sum:(words)")
  /// words.expressionResultType = .integer64AttributeType
  /// let request = NSFetchRequest<[String: Any]>(entityName: "Entry")
  /// request.resultType = .dictionaryResultType
  /// request.propertiesToFetch = ["isPinned", words]
  /// request.propertiesToGroupBy = ["isPinned"]
  /// request.sortDescriptors = [NSSortDescriptor(key: "isPinned", ascending: true)]
  /// print(try context.fetch(request).map { $0["sum"] as? Int ?? 0 })  // [200, 200]
  /// ```
  ///
  /// Unsaved changes are not taken into account. Without `dictionaryResultType`, and for a property that is neither
  /// grouped nor an aggregate, the fetch throws 134060.
  ///
  /// See also ``havingPredicate``.
  open var propertiesToGroupBy: [Any]?

  /// The condition for the groups, on aggregates, on grouped properties, and on fetched properties as variables by
  /// their names, as `$sum > 100`. Needs ``propertiesToGroupBy``, else the fetch throws 134060. Nil at first.
  open var havingPredicate: NSPredicate?

  /// Whether objects come as faults, their rows in the row cache, or with their values and awakened. True at first.
  ///
  /// Faults of a fetch cost no statement when they are used, so false saves none: it is for objects that are all used at
  /// once, and for `awakeFromFetch()` to be called now rather than later.
  ///
  /// ```swift
  /// let request = NSFetchRequest<Entry>(entityName: "Entry")
  /// let faults = try context.fetch(request)
  /// print(faults.filter(\.isFault).count, statements { _ = faults.map(\.words) })  // 3 0
  /// request.returnsObjectsAsFaults = false
  /// print(try container.newBackgroundContext().performAndWait { try request.execute().filter(\.isFault).count })  // 0
  /// ```
  ///
  /// See also ``NSManagedObject/isFault``, ``includesPropertyValues``.
  open var returnsObjectsAsFaults = true

  /// Key paths of relationships whose members are read together with the objects, as `["tags", "tags.entries"]`. Nil,
  /// as at first, for none.
  ///
  /// Each step of a path costs a statement or two, however many objects there are; without prefetching, a loop that walks
  /// the relationship of each object costs them piece by piece. A key path that does not exist is an error (134060). It
  /// is for objects only, not for IDs and dictionaries.
  ///
  /// ```swift
  /// let request = NSFetchRequest<Entry>(entityName: "Entry")
  /// request.relationshipKeyPathsForPrefetching = ["tags"]
  /// let entries = try context.fetch(request)
  /// let count = statements { for entry in entries { _ = entry.tags?.count } }
  /// print(count)  // 0
  /// ```
  ///
  /// See also ``NSManagedObjectContext/faultBatchSize``, which makes the loop cheaper without it.
  open var relationshipKeyPathsForPrefetching: [String]?

  /// A copy of the request with the same settings.
  open override func copy(with zone: NSZone? = nil) -> Any { duplicate() }

  open override func copy() -> Any { copy(with: nil) }

  /// Archives the request in Apple's layout, with its entity and the entity's model. A block in a predicate, a comparator
  /// in a sort descriptor and `affectedStores` cannot be archived: the first two stop the program, stores are left out.
  ///
  /// Differs from Apple (D-FET-08): the archive does not know the result type; decoding gives an
  /// `NSFetchRequest<any NSFetchRequestResult>`, once the process has used a model or made a request.
  open func encode(with coder: NSCoder) { encodeFields(with: coder) }

  open override var classForKeyedArchiver: AnyClass? { FetchRequestArchive.namedClass }

  open override var description: String {
    "<NSFetchRequest: 0x\(String(UInt(bitPattern: ObjectIdentifier(self).hashValue), radix: 16))> (entity: "
      + "\(entityName ?? "(null)"); predicate: (\(predicate?.description ?? "(null)")); sortDescriptors: "
      + "(\(sortDescriptors.map { "\($0)" } ?? "(null)")); limit: \(fetchLimit); type: \(resultType.rawValue);)"
  }
}

/// A fetch request whose result type does not matter.
package protocol AnyFetchRequest: NSPersistentStoreRequest {
  var entity: NSEntityDescription? { get }
  var entityName: String? { get }
  var objectClass: RequestedClass? { get }
  var predicate: NSPredicate? { get }
  var sortDescriptors: [NSSortDescriptor]? { get }
  var fetchLimit: Int { get }
  var fetchOffset: Int { get }
  var fetchBatchSize: Int { get }
  var resultType: NSFetchRequestResultType { get }
  var includesSubentities: Bool { get }
  var includesPropertyValues: Bool { get }
  var includesPendingChanges: Bool { get }
  var returnsObjectsAsFaults: Bool { get }
  var shouldRefreshRefetchedObjects: Bool { get }
  var relationshipKeyPathsForPrefetching: [String]? { get }
  var propertiesToFetch: [Any]? { get }
  var returnsDistinctResults: Bool { get }
  var propertiesToGroupBy: [Any]? { get }
  var havingPredicate: NSPredicate? { get }

  func retyped<Other>(to type: Other.Type) -> NSFetchRequest<Other>
}

import Foundation
import OpenCocoaFoundation

/// Objects that a save was to write and that have values in common which must be unique: in common with each other, or
/// with a row.
///
/// Where a row has the values, `databaseObject` is its object and `conflictingObjects` has one object. Where only objects of
/// the context have them, `databaseObject` is nil and there are at least two. Snapshots have the attributes, and for to-one
/// relationships object IDs; nil is NSNull, and to-many relationships are left out.
open class NSConstraintConflict: NSObject {
  private let names: [String]
  private let database: NSManagedObject?
  private let databaseValues: RowDictionary
  private let objects: [NSManagedObject]
  private let snapshots: [RowDictionary]
  private let values: [String: Any]
  /// The row that has the values, where it is known.
  let row: Snapshot?
  /// Whether the context had no object of the row before the conflict was found.
  let isDatabaseObjectNew: Bool

  /// Makes a conflict about the values of a constraint.
  ///
  /// Incremental stores make them for the errors that their saves throw, under
  /// `NSPersistentStoreSaveConflictsErrorKey`.
  /// - Parameters:
  ///   - contraint: the names of the properties that must be unique together.
  ///   - databaseObject: the object of the row that has the values; nil if only objects of the context have them.
  ///   - databaseSnapshot: the values of that row.
  ///   - conflictingObjects: the objects that want the values.
  ///   - conflictingSnapshots: for each object the values it was read from, or NSNull for one that has not changed.
  public init(
    constraint contraint: [String], database databaseObject: NSManagedObject?,
    databaseSnapshot: [AnyHashable: Any]?, conflicting conflictingObjects: [NSManagedObject],
    conflictingSnapshots: [Any]
  ) {
    (names, database, objects) = (contraint, databaseObject, conflictingObjects)
    databaseValues = RowDictionary(databaseSnapshot.map(Self.named))
    snapshots = conflictingSnapshots.map { RowDictionary(($0 as? [AnyHashable: Any]).map(Self.named)) }
    values = Self.values(of: contraint, conflictingObjects.first)
    row = nil
    isDatabaseObjectNew = false
  }

  private static func named(_ values: [AnyHashable: Any]) -> [String: Any] {
    Dictionary(values.map { ("\($0.key)", $0.value) }, uniquingKeysWith: { first, _ in first })
  }

  /// Makes a conflict without contents, as a placeholder for other conflicts.
  public override convenience init() {
    self.init(constraint: [], database: nil, databaseSnapshot: nil, conflicting: [], conflictingSnapshots: [])
  }

  /// A conflict that a save has found.
  init(
    _ constraint: [String], database: NSManagedObject?, row: Snapshot?, isNew: Bool, _ objects: [NSManagedObject]
  ) {
    (names, self.database, self.row, self.objects) = (constraint, database, row, objects)
    databaseValues = RowDictionary(row, of: database ?? objects[0])
    snapshots = objects.map { object in
      object.state.contains(.inserted) ? RowDictionary(insertedAs: object) : RowDictionary(object.snapshot, of: object)
    }
    values = Self.values(of: constraint, objects.first)
    isDatabaseObjectNew = isNew
  }

  private static func values(of names: [String], _ object: NSManagedObject?) -> [String: Any] {
    guard let object else { return [:] }
    return Dictionary(
      names.map { ($0, object.layout.slot(named: $0) == nil ? NSNull() : object.value(forKey: $0) ?? NSNull()) },
      uniquingKeysWith: { first, _ in first })
  }

  /// The names of the properties whose values together must be unique.
  open var constraint: [String] { names }

  /// The values that were found more than once.
  open var constraintValues: [String: Any] { values }

  /// The object of the row that has the values; nil if only objects of the context have them.
  open var databaseObject: NSManagedObject? { database }

  /// The row that has the values.
  open var databaseSnapshot: [String: Any]? { databaseValues.values }

  /// The objects that were to be saved and have the values.
  open var conflictingObjects: [NSManagedObject] { objects }

  /// For each of the objects, the values that it was read from, or for a new one the values that it was inserted with;
  /// empty for an object that has not changed.
  ///
  /// Differs from Apple (D-CTX-24): empty where Apple has an NSNull, which is no dictionary.
  open var conflictingSnapshots: [[AnyHashable: Any]] { snapshots.map { $0.values ?? [:] } }

  /// Tells the constraint and the objects.
  open override var description: String {
    let address = String(UInt(bitPattern: ObjectIdentifier(self).hashValue), radix: 16)
    return "NSConstraintConflict (0x\(address)) for constraint (\(names.joined(separator: ", "))): database: "
      + "\(database.map { "\($0.objectID)" } ?? "(null)"), conflictedObjects: "
      + "(\(objects.map { "\($0.objectID)" }.joined(separator: ", ")))"
  }
}

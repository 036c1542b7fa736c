import Foundation
import OpenCocoaFoundation

/// An object that a save was to write, and whose row others have changed or deleted since the context read it.
///
/// Where another context of the coordinator has changed the row, `cachedSnapshot` is the row that it wrote, and
/// `persistedSnapshot` is nil. Where another process or coordinator has changed it, `cachedSnapshot` is the row as the
/// coordinator knew it, and `persistedSnapshot` the row that is in the store now. Snapshots have the attributes, and for
/// to-one relationships object IDs; nil is NSNull, and to-many relationships are left out.
open class NSMergeConflict: NSObject {
  private let source: NSManagedObject
  private let new: Int
  private let old: Int
  private let object: RowDictionary
  private let cached: RowDictionary
  private let persisted: RowDictionary
  /// The row that is in the store now, where it is known.
  let row: Snapshot?
  /// Whether the framework has found the conflict itself, so that `row` is reliable also where it is nil.
  let isFound: Bool

  /// Makes the conflict of an object with another version of its row. Incremental stores make conflicts for the errors
  /// that their saves throw, under `NSPersistentStoreSaveConflictsErrorKey`.
  /// - Parameters:
  ///   - srcObject: the object as the context has it.
  ///   - newvers: the version of the row now; 0 if it was deleted.
  ///   - oldvers: the version that the object was read from.
  ///   - cachesnap: the row as the coordinator knows it.
  ///   - persnap: the row as it is in the store, if that is yet another one.
  public init(
    source srcObject: NSManagedObject, newVersion newvers: Int, oldVersion oldvers: Int,
    cachedSnapshot cachesnap: [String: Any]?, persistedSnapshot persnap: [String: Any]?
  ) {
    (source, new, old) = (srcObject, newvers, oldvers)
    object = RowDictionary(srcObject.snapshot, of: srcObject)
    cached = RowDictionary(cachesnap)
    persisted = RowDictionary(persnap)
    row = nil
    isFound = false
  }

  /// A conflict that a save has found.
  /// - Parameters:
  ///   - row: the row now; nil if it was deleted.
  ///   - known: the row as the coordinator knew it, where another process or coordinator has changed it.
  init(_ source: NSManagedObject, row: Snapshot?, known: Snapshot?) {
    self.source = source
    new = Int(row?.version ?? 0)
    old = Int(source.snapshot?.version ?? source.changes?.formerVersion ?? 0)
    object = RowDictionary(source.snapshot, of: source)
    cached = RowDictionary(known ?? row, of: source)
    persisted = RowDictionary(known == nil ? nil : row, of: source)
    self.row = row
    isFound = true
  }

  /// The object that was to be saved.
  open var sourceObject: NSManagedObject { source }

  /// The snapshot that the object was read from.
  open var objectSnapshot: [String: Any]? { object.values }

  /// The row as the coordinator knows it; nil if the row was deleted.
  open var cachedSnapshot: [String: Any]? { cached.values }

  /// The row as it is in the store, where the coordinator knew another one.
  open var persistedSnapshot: [String: Any]? { persisted.values }

  /// The version of the row now; 0 if it was deleted.
  open var newVersionNumber: Int { new }

  /// The version of the row that the object was read from.
  open var oldVersionNumber: Int { old }

  /// Tells the object, the versions and the snapshots.
  open override var description: String {
    let address = String(UInt(bitPattern: ObjectIdentifier(self).hashValue), radix: 16)
    let version = new == 0 ? "<deleted>" : String(new)
    let text = { (row: [String: Any]) in RowDictionary.text(row, of: self.source.layout.entity) }
    let stored = persistedSnapshot.map { " and new database row = \(text($0))" } ?? ""
    return
      "NSMergeConflict (0x\(address)) for NSManagedObject (0x\(String(source.hash << 4, radix: 16))) with objectID "
      + "'\(source.objectID)' with oldVersion = \(old) and newVersion = \(version) and old object snapshot = "
      + "\(objectSnapshot.map(text) ?? "(null)") and new cached row = "
      + "\(cachedSnapshot.map(text) ?? "(null)")\(stored)"
  }
}

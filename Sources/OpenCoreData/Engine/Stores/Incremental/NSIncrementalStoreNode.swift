import Foundation

/// The values of one object as an incremental store gives them.
open class NSIncrementalStoreNode: NSObject {
  /// Whose values these are.
  public final let objectID: NSManagedObjectID
  /// The number of times that the object has been written: 1 after its first save, and one more with each update.
  public private(set) final var version: UInt64
  private final var values: [String: Any]

  /// Makes a node.
  /// - Parameters:
  ///   - objectID: whose values these are.
  ///   - values: by property name: attributes as managed objects have them, to-one relationships as
  ///     `NSManagedObjectID`, or NSNull for none. A to-one that is left out is asked for by
  ///     `newValue(forRelationship:forObjectWith:with:)`; an attribute that is left out is nil.
  ///   - version: counted up with each change of the row, by which a save notices that others have changed it; 1 at
  ///     first.
  public init(objectID: NSManagedObjectID, withValues values: [String: Any], version: UInt64) {
    self.objectID = objectID
    self.values = values
    self.version = version
    super.init()
  }

  /// Replaces values and version.
  open func update(withValues values: [String: Any], version: UInt64) {
    self.values = values
    self.version = version
  }

  /// The value of a property; nil where the node has none.
  open func value(for prop: NSPropertyDescription) -> Any? { values[prop.name] }
}

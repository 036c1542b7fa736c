import Foundation

/// The values of one object, as an incremental store returns them.
open class NSIncrementalStoreNode: NSObject {
  /// The ID of the object that has these values.
  public final let objectID: NSManagedObjectID
  /// How often the object has been written: 1 after its first save, one more with each update.
  public private(set) final var version: UInt64
  private final var values: [String: Any]

  /// Makes a node.
  /// - Parameters:
  ///   - objectID: the ID of the object that has these values.
  ///   - values: the values by property name: attributes as managed objects have them, to-one relationships as
  ///     `NSManagedObjectID`, or NSNull for none. A to-one relationship that is left out is requested by
  ///     `newValue(forRelationship:forObjectWith:with:)`; an attribute that is left out is nil.
  ///   - version: 1 at first, and greater after each change of the row. A save compares versions to find out whether others
  ///     have changed the row.
  public init(objectID: NSManagedObjectID, withValues values: [String: Any], version: UInt64) {
    self.objectID = objectID
    self.values = values
    self.version = version
    super.init()
  }

  /// Replaces the values and the version.
  open func update(withValues values: [String: Any], version: UInt64) {
    self.values = values
    self.version = version
  }

  /// Returns the value of a property; nil if the node has none.
  open func value(for prop: NSPropertyDescription) -> Any? { values[prop.name] }
}

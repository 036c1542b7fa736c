import OpenCoreData

/// The size of the objects of a root entity in a store, together with those of the entities that inherit from it.
public struct TableSize: Encodable, Sendable {
  /// The root entity, whose table has the rows of the entities that inherit from it, too.
  public var entity: String
  /// The size of the rows, in bytes.
  public var tableBytes: Int
  /// The size of the indexes, in bytes.
  public var indexBytes: Int
}

extension StoreReader {
  /// Returns the size of each table of objects.
  ///
  /// A SQLite file is read from end to end for this; a server knows the sizes. Tables that relate objects to each other, and
  /// files of values, do not count.
  /// - Returns: nil for a store without tables, and if the system's SQLite cannot tell the sizes.
  public func tableSizes() throws -> [TableSize]? {
    try asking { store in
      let sizes: [StoredTableSize]?
      if let served {
        sizes = try served.tableSizes()
      } else {
        sizes = kind.isSQLite ? try (store as? InspectedStore)?.tableSizes() : nil
      }
      return sizes?.map { TableSize(entity: $0.entity, tableBytes: $0.table, indexBytes: $0.indexes) }
    }
  }
}

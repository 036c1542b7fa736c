import OpenCoreData

/// How much of a store the objects of a root entity take, with those of the entities that inherit from it.
public struct TableSize: Encodable, Sendable {
  /// The root entity, whose table has the rows of the entities that inherit from it, too.
  public var entity: String
  /// The rows, in bytes.
  public var tableBytes: Int
  /// The indexes, in bytes.
  public var indexBytes: Int
}

extension StoreReader {
  /// How much of the store each table of objects takes.
  ///
  /// A SQLite file is read from end to end for it; a server knows. Tables that relate objects to each other, and values in files of
  /// their own, do not count.
  /// - Returns: nil for a store without tables, and where the system's SQLite cannot tell.
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

#if PostgreSQL
  import Foundation
  import OpenCocoaFoundation
  @_spi(Store) import OpenCoreData

  /// The description that a store keeps of itself: the row of the table `_store`.
  struct StoreRow {
    var metadata: StoreMetadata
    /// The number of the schema's version; each change of the schema increases it.
    var version: Int64
    /// The model that the store was made with, or migrated to.
    var model: Data

    private static let isThere = ServerStatement(
      "SELECT to_regclass('\"_store\"') IS NOT NULL", isPrepared: false)
    private static let reading = ServerStatement(
      "SELECT uuid, format, version, model, metadata FROM \"_store\"", isPrepared: false)

    /// Reads the row; returns nil if the schema has no store.
    /// - Throws: 259 if the table does not have exactly one row, 134020 for an unknown format.
    static func read(_ connection: ServerConnection, place: String) throws -> StoreRow? {
      var isThere = false
      var flight = Flight()
      flight.add(Self.isThere) { isThere = $0.bool(0, 0) }
      try connection.run(flight)
      if !isThere { return nil }
      var row: StoreRow?
      var format: Int32 = 0
      var reading = Flight()
      reading.add(Self.reading) { result in
        guard result.rowCount == 1 else { return }
        format = result.int32(0, 1)
        let properties = try PropertyListReader.dictionary(result.data(0, 4))
        row = StoreRow(
          metadata: StoreMetadata(identifier: result.string(0, 0), properties: properties),
          version: result.int64(0, 2), model: result.data(0, 3))
      }
      try connection.run(reading)
      guard let row else {
        throw NSError(
          coreData: CocoaError.Code.fileReadCorruptFile.rawValue,
          "The store at \(place) is damaged: the table \"_store\" has no row.", [NSFilePathErrorKey: place])
      }
      guard format == ServerSchema.format else {
        throw NSError(
          coreData: NSPersistentStoreIncompatibleSchemaError,
          "The store at \(place) has the format \(format); this version knows the format \(ServerSchema.format).",
          [NSFilePathErrorKey: place])
      }
      return row
    }

    /// Returns the metadata as the bytes of a property list.
    static func encoded(_ metadata: StoreMetadata) throws -> Data {
      try PropertyListSerialization.data(fromPropertyList: metadata.properties, format: .binary, options: 0)
    }

    /// Returns the statement that replaces the metadata.
    static func replacing(_ metadata: StoreMetadata) throws -> (ServerStatement, ServerValues) {
      var values = ServerValues()
      values.append(metadata.identifier)
      values.append(try encoded(metadata))
      return (
        ServerStatement(
          "UPDATE \"_store\" SET uuid = $1, metadata = $2", types: [ServerType.text, ServerType.bytes]), values
      )
    }
  }
#endif

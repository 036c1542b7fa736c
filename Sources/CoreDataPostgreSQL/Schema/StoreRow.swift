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

    /// A schema that a role may not use is left out of its search path: what is in it seems not to be there.
    private static let isThere = ServerStatement(
      """
      SELECT to_regclass('"_store"') IS NOT NULL, \
      coalesce(NOT has_schema_privilege(to_regnamespace(current_setting('search_path'))::oid, 'USAGE'), false), \
      current_user::text, current_setting('search_path')
      """, isPrepared: false)
    private static let reading = ServerStatement(
      "SELECT uuid, format, version, model, metadata FROM \"_store\"", isPrepared: false)

    /// Reads the row; returns nil if the schema has no store.
    /// - Throws: 257 if the role may not use the schema, 259 if the table does not have exactly one row, 134020 for an
    ///   unknown format.
    static func read(_ connection: ServerConnection, place: String) throws -> StoreRow? {
      guard try isThere(connection, place: place) else { return nil }
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

    /// Whether the schema in which the connection looks names up has a store.
    /// - Throws: 257 if the role may not use that schema.
    static func isThere(_ connection: ServerConnection, place: String) throws -> Bool {
      var isThere = false, refusal: (role: String, schema: String)?
      var flight = Flight()
      flight.add(Self.isThere) { result in
        isThere = result.bool(0, 0)
        if result.bool(0, 1) { refusal = (result.string(0, 2), result.string(0, 3)) }
      }
      try connection.run(flight)
      guard let refusal else { return isThere }
      throw NSError(
        coreData: CocoaError.Code.fileReadNoPermission.rawValue,
        "The role \(refusal.role) may not use the schema \(refusal.schema) of the store at \(place): it lacks USAGE, which "
          + "GRANT USAGE ON SCHEMA \(refusal.schema) gives.", [NSFilePathErrorKey: place])
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

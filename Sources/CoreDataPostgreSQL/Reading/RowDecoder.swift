#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData
  import Synchronization

  /// Makes snapshots of the server's binary values, for rows of one entity and its subentities.
  final class RowDecoder: @unchecked Sendable {  // immutable
    let entity: SQLEntity
    private let shapes: SQLRowShapes

    init(_ entity: SQLEntity, in model: SQLModel) {
      self.entity = entity
      shapes = SQLRowShapes(entity, in: model)
    }

    /// Reads a row of a result: key, number of the entity and version, then the columns of the entity's `SQLRowLayout`.
    func decode(_ result: borrowing ServerResult, _ row: Int, commit: UInt64, scratch: inout SnapshotScratch)
      -> Snapshot
    {
      if !shapes.byNumber.isEmpty, let found = shapes.byNumber[Int(result.int32(row, 1))] {
        return decode(result, row, found, commit, &scratch)
      }
      return decode(result, row, shapes.own, commit, &scratch)
    }

    /// - Throws: 134020 if a column has another type than the model says, because the table was changed.
    func check(_ result: borrowing ServerResult) throws {
      let fixed: [(index: Int, type: UInt32)] = [(0, ServerType.int64), (1, ServerType.int32), (2, ServerType.int64)]
      for (index, type) in fixed where result.columnType(index) != type { throw otherType(result, index) }
      for shape in shapes.byNumber.isEmpty ? [shapes.own] : Array(shapes.byNumber.values) {
        // A statement for the entity alone does not return the columns of subentities.
        for column in shape.columns where column.index < result.columnCount {
          guard let type = Self.type(of: column.kind), result.columnType(Int(column.index)) != type else { continue }
          throw otherType(result, Int(column.index))
        }
      }
    }

    private func otherType(_ result: borrowing ServerResult, _ index: Int) -> NSError {
      NSError(
        coreData: NSPersistentStoreIncompatibleSchemaError,
        "The column \(result.columnName(index)) of the table \(entity.tableName) has another type than the model's: "
          + "somebody has changed the table. Its type must be changed back.")
    }

    /// The type of the schema's columns for a kind of values; nil for a kind that has no column of its own.
    private static func type(of kind: ValueKind) -> UInt32? {
      switch kind {
      case .int16: ServerType.int16
      case .int32: ServerType.int32
      case .int64, .toOne: ServerType.int64
      case .bool: ServerType.bool
      case .double, .date: ServerType.double
      case .float: ServerType.float
      case .string, .uri: ServerType.text
      case .data, .transformable: ServerType.bytes
      case .uuid: ServerType.uuid
      case .decimal: ServerType.numeric
      case .toMany, .anything, .composite: nil
      }
    }

    private func decode(
      _ result: borrowing ServerResult, _ row: Int, _ shape: SQLRowShape, _ commit: UInt64,
      _ scratch: inout SnapshotScratch
    ) -> Snapshot {
      scratch.begin(slots: shape.layout.slotCount)
      shape.columns.withUnsafeBufferPointer { columns in
        for column in columns { read(column, result, row, &scratch) }
      }
      return Snapshot.make(
        primaryKey: result.int64(row, 0), version: result.int64(row, 2), layout: shape.layout, commit: commit,
        scratch: scratch)
    }

    @inline(__always)
    private func read(
      _ column: SQLRowShape.Column, _ result: borrowing ServerResult, _ row: Int, _ scratch: inout SnapshotScratch
    ) {
      let place = Int(column.index)
      let bytes = result.bytes(row, place)
      // NULL has no bytes, so only a value without bytes has to be checked for NULL.
      if bytes.isEmpty, result.isNull(row, place) { return }
      switch column.kind {
      case .int16: scratch.set(column.slot, int: Int64(ServerResult.number(bytes, as: Int16.self)))
      case .int32: scratch.set(column.slot, int: Int64(ServerResult.number(bytes, as: Int32.self)))
      case .int64, .toOne: scratch.set(column.slot, int: ServerResult.number(bytes, as: Int64.self))
      case .bool: scratch.set(column.slot, int: result.bool(row, place) ? 1 : 0)
      case .double, .date:
        scratch.set(column.slot, double: Double(bitPattern: ServerResult.number(bytes, as: UInt64.self)))
      case .float: scratch.set(column.slot, double: Double(result.float(row, place)))
      case .string, .uri: scratch.set(column.slot, bytes: bytes)
      case .data, .uuid, .transformable: scratch.set(column.slot, blob: bytes)
      case .decimal: scratch.set(column.slot, decimal: result.decimal(row, place))
      case .toMany, .anything, .composite: break
      }
    }
  }

  /// Decodes the rows of one read, whose results come one after the other.
  final class RowReading {
    private let decoder: RowDecoder
    private var scratch: SnapshotScratch
    private var isChecked = false

    init(_ decoder: RowDecoder) {
      self.decoder = decoder
      scratch = SnapshotScratch(slots: decoder.entity.entity.rowLayout.slotCount)
    }

    /// Checks the first result. It has to be called with each result before its rows are decoded.
    /// - Throws: 134020 if a column has another type than the model says.
    func check(_ result: borrowing ServerResult) throws {
      if isChecked || result.rowCount == 0 { return }
      try decoder.check(result)
      isChecked = true
    }

    func decode(_ result: borrowing ServerResult, _ row: Int, commit: UInt64) -> Snapshot {
      decoder.decode(result, row, commit: commit, scratch: &scratch)
    }
  }

  /// The decoders of a store's entities. Each is made when rows of its entity are first read.
  final class RowDecoders: Sendable {
    private let schema: SQLModel
    private let known = Mutex<[Int: RowDecoder]>([:])

    init(_ schema: SQLModel) { self.schema = schema }

    subscript(entity: SQLEntity) -> RowDecoder {
      known.withLock { known in
        if let decoder = known[entity.number] { return decoder }
        let decoder = RowDecoder(entity, in: schema)
        known[entity.number] = decoder
        return decoder
      }
    }
  }
#endif

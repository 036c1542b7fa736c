#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  /// Reads one column of a fetch of dictionaries as the value that `value(forKey:)` would return, with numbers as
  /// NSNumber.
  struct DictionaryColumnDecoder {
    let name: String
    private let kind: SQLKind
    private let slot: PropertySlot?
    private let resultType: NSAttributeType
    private let index: Int
    /// For a column with a key: the entity to which its object belongs, or a superentity of it.
    private let asked: EntityLayout
    private let store: ServerStore

    init(_ column: DictionaryColumn, _ kind: SQLKind, at index: Int, asked: EntityLayout, store: ServerStore) {
      name = column.name
      slot = column.slot
      resultType = column.resultType
      (self.kind, self.index, self.asked, self.store) = (kind, index, asked, store)
    }

    /// The value, nil for NULL.
    func value(_ result: borrowing ServerResult, _ row: Int) -> Any? {
      if result.isNull(row, index) { return nil }
      let value = plainValue(result, row)
      return resultType == .undefinedAttributeType ? value : ExpressionResult.coerced(value, to: resultType)
    }

    private func plainValue(_ result: borrowing ServerResult, _ row: Int) -> Any? {
      switch kind {
      case .number: return number(result, row)
      case .decimal: return result.decimalNumber(row, index).map { NSDecimalNumber(decimal: $0) }
      case .date: return result.realNumber(row, index).map(Date.init(timeIntervalSinceReferenceDate:))
      case .string: return result.string(row, index)
      case .uri: return URL(string: result.string(row, index))
      case .uuid: return result.bytes(row, index).count == 16 ? result.uuid(row, index) : nil
      case .binary: return result.data(row, index)
      case .transformable: return decoded(result.data(row, index))
      case .key: return objectID(result, row)
      case .entity: return result.wholeNumber(row, index).flatMap { store.layout(number: Int($0))?.entity }
      case .composite: return nil
      }
    }

    private func number(_ result: borrowing ServerResult, _ row: Int) -> NSNumber? {
      switch slot?.kind {
      case .bool: return result.wholeNumber(row, index).map { NSNumber(value: $0 != 0) }
      case .double: return result.realNumber(row, index).map { NSNumber(value: $0) }
      case .float: return result.realNumber(row, index).map { NSNumber(value: Float($0)) }
      default: break
      }
      if let whole = result.wholeNumber(row, index) { return SmallNumbers.number(whole) }
      return result.realNumber(row, index).map { NSNumber(value: $0) }
    }

    /// Returns the object of a transformable attribute. If the bytes cannot be decoded, it returns nil and writes a
    /// line to the log.
    private func decoded(_ bytes: Data) -> Any? {
      guard let slot, slot.kind == .transformable else { return bytes }
      let value = TransformedValue(decoding: bytes, slot.attribute)
      if let problem = value.problem {
        let entity = slot.property.entity.name ?? ""
        UndecodableAttributes.note("\(entity).\(slot.name)") {
          "A value of the transformable attribute \(slot.name) of \(entity) cannot be decoded: "
            + problem.localizedDescription
        }
      }
      return value.object
    }

    private func objectID(_ result: borrowing ServerResult, _ row: Int) -> Any? {
      guard let key = result.wholeNumber(row, index), key > 0 else { return nil }
      let number = result.wholeNumber(row, index + 1) ?? 0
      let layout = store.layout(number: Int(number), asked: asked)
      return store.objectID(layout.entity, key: key)
    }
  }

  // These methods read numbers whatever type a column of an expression has.
  extension ServerResult {
    /// Returns a whole number or a Boolean; nil for a value of another type, or if the number is too great.
    func wholeNumber(_ row: Int, _ column: Int) -> Int64? {
      if isNull(row, column) { return nil }
      switch columnType(column) {
      case ServerType.bool: return bool(row, column) ? 1 : 0
      case ServerType.int16: return Int64(int16(row, column))
      case ServerType.int32: return Int64(int32(row, column))
      case ServerType.int64: return int64(row, column)
      case ServerType.numeric: return decimal(row, column).exactInteger
      default: return nil
      }
    }

    func realNumber(_ row: Int, _ column: Int) -> Double? {
      if isNull(row, column) { return nil }
      switch columnType(column) {
      case ServerType.float: return Double(float(row, column))
      case ServerType.double: return double(row, column)
      case ServerType.numeric: return Double("\(decimal(row, column))")
      default: return wholeNumber(row, column).map(Double.init)
      }
    }

    func decimalNumber(_ row: Int, _ column: Int) -> Decimal? {
      if isNull(row, column) { return nil }
      switch columnType(column) {
      case ServerType.numeric: return decimal(row, column)
      case ServerType.float, ServerType.double: return realNumber(row, column).flatMap { Decimal(string: "\($0)") }
      default: return wholeNumber(row, column).map { Decimal($0) }
      }
    }
  }
#endif

#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  extension ServerType {
    /// Returns the OID of a type by its name in the dialect's declarations.
    static func named(_ name: String) throws -> UInt32 {
      switch name {
      case "bigint": int64
      case "integer": int32
      case "smallint": int16
      case "boolean": bool
      case "double precision": double
      case "real": float
      case "numeric": numeric
      case "text": text
      case "uuid": uuid
      case "bytea": bytes
      case let name where name.hasSuffix("[]"): array(of: try named(String(name.dropLast(2))))
      default: throw NSError(coreData: NSCoreDataError, "A statement has a variable of the unknown type \(name).")
      }
    }

    /// Returns the type of the variables and columns for a kind of values.
    static func of(_ type: SQLColumnType) -> UInt32 {
      switch type {
      case .integer16: int16
      case .integer32, .entityNumber: int32
      case .integer64, .key, .version, .position: int64
      case .boolean: bool
      case .timestamp, .double: double
      case .float: float
      case .decimal: numeric
      case .string: text
      case .uuid: uuid
      case .data: bytes
      }
    }
  }

  extension ServerStatement {
    /// Creates the statement for a statement of the relational layer.
    convenience init(_ statement: SQLStatement, isPrepared: Bool = true) throws {
      self.init(statement.text, types: try statement.types.map(ServerType.named), isPrepared: isPrepared)
    }
  }

  extension ServerValues {
    /// Creates the values of a statement of the relational layer.
    /// - Throws: 134060 if the statement has variables that depend on the contents of columns and were not looked up.
    init(_ statement: SQLStatement) throws {
      guard statement.resolutions.isEmpty else {
        throw NSError(
          coreData: NSCoreDataError,
          "A comparison of strings that the framework has to answer was sent where nothing looks the strings up.")
      }
      self.init()
      for (value, type) in zip(statement.bindings, statement.types) { append(value, as: try ServerType.named(type)) }
    }

    /// Appends a value in the form of a variable's type.
    mutating func append(_ value: SQLValue, as type: UInt32) {
      switch value {
      case .null: appendNull()
      case .integer(let value): append(integer: value, as: type)
      case .real(let value):
        switch type {
        case ServerType.float: append(Float(value))
        case ServerType.numeric: append(Decimal(value))
        default: append(value)
        }
      case .text(let value): append(value)
      // This covers bytes, identifiers, and arrays that are encoded already.
      case .blob(let value): append(value)
      }
    }

    private mutating func append(integer value: Int64, as type: UInt32) {
      switch type {
      case ServerType.int32: append(Int32(truncatingIfNeeded: value))
      case ServerType.int16: append(Int16(truncatingIfNeeded: value))
      case ServerType.bool: append(value != 0)
      case ServerType.double: append(Double(value))
      case ServerType.float: append(Float(value))
      case ServerType.numeric: append(Decimal(value))
      default: append(value)
      }
    }
  }
#endif

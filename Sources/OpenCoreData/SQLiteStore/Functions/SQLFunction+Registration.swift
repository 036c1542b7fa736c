import CSQLite
import Foundation
import OpenCocoaFoundation

extension SQLFunction {
  /// Registers all functions and collations on a connection.
  ///
  /// - Parameter files: the place of large binary values, and what notes the files that are missing; nil for a database that is
  ///   no store.
  /// - Returns: SQLITE_OK or the first error code.
  static func register(
    on connection: OpaquePointer, files: (storage: ExternalStorage, missing: MissingFileNames)? = nil
  ) -> Int32 {
    for function in all + (files.map { ofData($0.storage, missing: $0.missing) } ?? []) {
      let result = function.register(on: connection)
      if result != SQLITE_OK { return result }
    }
    for register in [SQLFunction.registerLike, SQLFunction.registerSearch] {
      let result = register(connection)
      if result != SQLITE_OK { return result }
    }
    for aggregate in SQLAggregate.allCases {
      let result = aggregate.register(on: connection)
      if result != SQLITE_OK { return result }
    }
    for collation in SQLCollation.allCases {
      let result = collation.register(on: connection)
      if result != SQLITE_OK { return result }
    }
    return SQLITE_OK
  }

  private final class Box: Sendable {
    let function: SQLFunction

    init(_ function: SQLFunction) { self.function = function }
  }

  /// Registers this function on a connection on which the others are registered already.
  func add(to connection: SQLiteConnection) throws {
    let code = register(on: connection.handle)
    if code != SQLITE_OK { throw connection.error(code, doing: "registering \(name)") }
  }

  private func register(on connection: OpaquePointer) -> Int32 {
    let flags = SQLITE_UTF8 | (isDeterministic ? SQLITE_DETERMINISTIC : 0)
    return sqlite3_create_function_v2(
      connection, name, Int32(argumentCount), flags, Unmanaged.passRetained(Box(self)).toOpaque(),
      { context, count, values in
        guard let context, let values, let pointer = sqlite3_user_data(context) else { return }
        let function = Unmanaged<Box>.fromOpaque(pointer).takeUnretainedValue().function
        do {
          Self.give(try function.body(SQLFunctionArguments(values: values, count: Int(count))), to: context)
        } catch {
          SQLFunctionFailure.note(error, in: context)
        }
      }, nil, nil, { pointer in pointer.map { Unmanaged<Box>.fromOpaque($0).release() } })
  }

  /// Tells SQLite to copy the bytes that it is given.
  private static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

  static func give(_ value: SQLValue, to context: OpaquePointer) {
    switch value {
    case .null: sqlite3_result_null(context)
    case .integer(let integer): sqlite3_result_int64(context, integer)
    case .real(let real): sqlite3_result_double(context, real)
    case .text(var text):
      text.withUTF8 { bytes in
        bytes.withMemoryRebound(to: CChar.self) {
          sqlite3_result_text64(context, $0.baseAddress, UInt64($0.count), transient, UInt8(SQLITE_UTF8))
        }
      }
    case .blob(let data):
      data.withUnsafeBytes { sqlite3_result_blob64(context, $0.baseAddress, UInt64($0.count), transient) }
    }
  }
}

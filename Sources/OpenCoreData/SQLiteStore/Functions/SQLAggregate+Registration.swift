import CSQLite
import Foundation

extension SQLAggregate {
  /// The values of a group's rows so far.
  private final class Rows {
    var values: [Any?] = []
  }

  private final class Box: Sendable {
    let aggregate: SQLAggregate

    init(_ aggregate: SQLAggregate) { self.aggregate = aggregate }
  }

  /// Registers the function on a connection.
  /// - Returns: SQLITE_OK or the code of the error.
  func register(on connection: OpaquePointer) -> Int32 {
    sqlite3_create_function_v2(
      connection, SQLiteDialect.name(of: self), 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC,
      Unmanaged.passRetained(Box(self)).toOpaque(), nil,
      { context, _, arguments in
        guard let context, let arguments, let aggregate = Self.aggregate(of: context) else { return }
        let value = SQLFunctionArguments(values: arguments, count: 1).value(0)
        let isDecimal = aggregate == .sum || aggregate == .average
        Self.rows(of: context)?.values.append(SQLFunction.value(value, isDecimal: isDecimal))
      },
      { context in
        guard let context, let aggregate = Self.aggregate(of: context) else { return }
        let rows = Self.takeRows(of: context)
        SQLFunction.give(SQLFunction.stored(aggregate.result(rows?.values ?? [])), to: context)
      }, { pointer in pointer.map { Unmanaged<Box>.fromOpaque($0).release() } })
  }

  private static func aggregate(of context: OpaquePointer) -> SQLAggregate? {
    sqlite3_user_data(context).map { Unmanaged<Box>.fromOpaque($0).takeUnretainedValue().aggregate }
  }

  /// Returns the values of the present group. SQLite gives each group zeroed memory of its own, in which a reference to the
  /// values is kept.
  private static func rows(of context: OpaquePointer) -> Rows? {
    let size = Int32(MemoryLayout<UnsafeMutableRawPointer?>.size)
    guard let place = sqlite3_aggregate_context(context, size)?.assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
    else { return nil }
    if let known = place.pointee { return Unmanaged<Rows>.fromOpaque(known).takeUnretainedValue() }
    let rows = Rows()
    place.pointee = Unmanaged.passRetained(rows).toOpaque()
    return rows
  }

  private static func takeRows(of context: OpaquePointer) -> Rows? {
    guard let place = sqlite3_aggregate_context(context, 0)?.assumingMemoryBound(to: UnsafeMutableRawPointer?.self),
      let known = place.pointee
    else { return nil }
    place.pointee = nil
    return Unmanaged<Rows>.fromOpaque(known).takeRetainedValue()
  }
}

import Foundation

extension SQLFunction {
  /// The functions that restore values that JSON cannot hold.
  static let lists: [SQLFunction] = [
    SQLFunction(name: SQLiteDialect.realOfBits, argumentCount: 1) { arguments in
      .real(Double(bitPattern: UInt64(bitPattern: arguments.integer(0))))
    },
    SQLFunction(name: SQLiteDialect.bytesOfHex, argumentCount: 1) { arguments in
      arguments.text(0).map { .blob(Data(SQLiteDialect.JSONList.bytes(ofHex: $0))) } ?? .null
    },
    SQLFunction(name: SQLiteDialect.textOfHex, argumentCount: 1) { arguments in
      arguments.text(0).map { .text(String(decoding: SQLiteDialect.JSONList.bytes(ofHex: $0), as: UTF8.self)) } ?? .null
    },
  ]
}

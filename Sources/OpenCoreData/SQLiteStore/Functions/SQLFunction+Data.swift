import Foundation

// Functions of binary values that may be in files. Their column has a byte before the value, or names a file.
extension SQLFunction {
  /// Returns the functions for a store whose files are in `storage`. The result is NULL if a file is missing, which is noted in
  /// `missing`; a file that cannot be read is an error. A comparison only reads files of the same size.
  static func ofData(_ storage: ExternalStorage, missing: MissingFileNames) -> [SQLFunction] {
    let note: @Sendable (String) -> Void = { missing.note($0, of: storage) }
    return [
      SQLFunction(.data, argumentCount: 1) { arguments in
        try arguments.bytes(0).flatMap { try storage.data($0, missing: note) }.map(SQLValue.blob) ?? .null
      },
      SQLFunction(.isData, argumentCount: 2) { arguments in
        guard let column = arguments.bytes(0), let data = arguments.bytes(1) else { return .null }
        return try storage.isValue(of: column, data, missing: note).map { .integer($0 ? 1 : 0) } ?? .null
      },
    ]
  }
}

extension ExternalStorage {
  /// Whether the value of a column equals `data`; nil if its file is missing.
  fileprivate func isValue(
    of column: UnsafeRawBufferPointer, _ data: UnsafeRawBufferPointer, missing: @escaping (String) -> Void
  ) throws -> Bool? {
    guard column.first == 2 else {
      let value = column.first == 1 ? UnsafeRawBufferPointer(rebasing: column.dropFirst()) : column
      return isSame(value, data)
    }
    if let reference = ExternalReference(column), let status = try? open().status(reference.name),
      status.st_mode & S_IFMT == S_IFREG, status.st_size != data.count
    {
      return false
    }
    return try value(column, missing: missing)?.data.withUnsafeBytes { isSame($0, data) }
  }

  private func isSame(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> Bool {
    guard first.count == second.count, let start = first.baseAddress, let other = second.baseAddress else {
      return first.count == second.count
    }
    return memcmp(start, other, first.count) == 0
  }
}

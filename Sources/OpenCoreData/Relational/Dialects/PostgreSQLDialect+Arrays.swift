import Foundation

extension SQLPrinter {
  /// Binds a list as one array of PostgreSQL's, in its binary form.
  package mutating func bind(_ list: SQLList) {
    var array: PostgreSQLArray
    let type: String
    switch list {
    case .integers(let values):
      (array, type) = (PostgreSQLArray(element: 20, count: values.count), "bigint[]")
      for value in values { array.append(value) }
    case .reals(let values):
      (array, type) = (PostgreSQLArray(element: 701, count: values.count), "double precision[]")
      for value in values { array.append(Int64(bitPattern: value.bitPattern)) }
    case .texts(let values):
      (array, type) = (PostgreSQLArray(element: 25, count: values.count), "text[]")
      for value in values { array.append(Data(value.utf8)) }
    // No text in the database contains U+0000, so the array is empty.
    case .textsWithNUL: (array, type) = (PostgreSQLArray(element: 25, count: 0), "text[]")
    case .data(let values):
      (array, type) = (PostgreSQLArray(element: 17, count: values.count), "bytea[]")
      for value in values { array.append(value) }
    }
    bind(.blob(array.bytes), declaredAs: type)
  }
}

/// An array in PostgreSQL's binary format, big endian: the number of dimensions, whether there are NULLs, the type of
/// the elements, their count, the first index, and then the length and bytes of each element.
package struct PostgreSQLArray {
  package private(set) var bytes = Data()

  package init(element: UInt32, count: Int) {
    for word in [count == 0 ? 0 : 1, 0, element] { append(word: word) }
    if count > 0 { for word in [UInt32(count), 1] { append(word: word) } }
  }

  /// An array of UUIDs of 16 bytes each. Data of another size is left out, because no column holds it.
  package init(uuids: [Data]) {
    let uuids = uuids.filter { $0.count == 16 }
    self.init(element: 2950, count: uuids.count)
    for uuid in uuids { append(uuid) }
  }

  private mutating func append(word: UInt32) { withUnsafeBytes(of: word.bigEndian) { bytes.append(contentsOf: $0) } }

  package mutating func append(_ value: Int64) {
    append(word: 8)
    withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
  }

  package mutating func append(_ value: Data) {
    append(word: UInt32(value.count))
    bytes.append(value)
  }
}

import Foundation

/// The bytes that a column holds for a value in a file of its own: a byte 2, the file's name, a zero.
struct ExternalReference: Equatable {
  /// Values of more bytes than this are written to files.
  static let threshold = 102_400
  /// The number of bytes of a reference.
  static let length = 38

  /// A UUID as text, upper-case if it was made here.
  let name: String

  init() { name = UUID().uuidString }

  /// Reads a column. Nil if the column has the value itself, or a name that is not a UUID's: the name must not lead out of
  /// the folder.
  init?(_ column: UnsafeRawBufferPointer) {
    guard column.count >= Self.length - 1, column.first == 2 else { return nil }
    let name = String(decoding: column.dropFirst().prefix { $0 != 0 }, as: UTF8.self)
    guard name.utf8.count == Self.length - 2, UUID(uuidString: name) != nil else { return nil }
    self.name = name
  }

  /// The bytes of the reference in a column.
  var column: Data { Data([2]) + Data(name.utf8) + Data([0]) }
}

extension NSAttributeDescription {
  /// Whether the values of the attribute's column begin with a byte that tells whether they are in a file.
  var isKeptWithMark: Bool {
    allowsExternalBinaryDataStorage
      && (attributeType == .binaryDataAttributeType || attributeType == .transformableAttributeType)
  }
}

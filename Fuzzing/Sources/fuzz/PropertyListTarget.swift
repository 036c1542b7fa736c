import Foundation
@testable import OpenCocoaFoundation
@testable import OpenCoreData

/// Property lists as metadata, tokens and files beside models have them, and the stores that are one file.
enum PropertyListTarget {
  static func run(_ data: Data) {
    if let list = try? PropertyListReader.dictionary(data),
      PropertyListSerialization.propertyList(list, isValidFor: .binary),
      let written = try? PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
    {
      do {
        let again = try PropertyListReader.dictionary(written)
        if again.count != list.count { fatalError("\(list.count) entries are read as \(again.count)") }
      } catch {
        fatalError("A list that was read is refused when written: \(error)")
      }
    }
    if let value = try? BinaryPropertyListReader.read(data) {
      _ = try? BinaryPropertyListReader.read(BinaryPropertyListWriter.write(value))
    }
    _ = try? BinaryStoreDocument(data)
    _ = try? XMLStoreReader(data)
  }
}

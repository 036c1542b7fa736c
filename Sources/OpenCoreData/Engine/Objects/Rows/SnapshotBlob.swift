import Foundation

/// A binary value that is kept out of a row's packed allocation.
@_spi(Store) public struct SnapshotBlob: Sendable {
  package let data: Data
  /// The bytes that the value takes in the process's own memory: none where a file is mapped.
  package let cost: Int
}

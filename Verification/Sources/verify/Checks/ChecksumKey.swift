import CoreData

extension Check {
  static let checksumKey = Check(
    "D-MIG-12", "the key of a store's checksum of its model",
    expected: "NSStoreModelVersionChecksumKey"
  ) {
    return NSPersistentStoreModelVersionChecksumKey
  }
}

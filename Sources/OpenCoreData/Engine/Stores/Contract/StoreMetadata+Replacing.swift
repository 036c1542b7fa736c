import Foundation

// Replacing a store's metadata by an application's. The keys that the framework needs are kept.
extension StoreMetadata {
  /// The keys that the framework needs. An application that leaves them out does not mean to remove them.
  package static let frameworkKeys: Set<String> = [
    NSStoreTypeKey, NSStoreModelVersionHashesKey, NSStoreModelVersionIdentifiersKey, "NSStoreModelVersionHashesVersion",
    "NSStoreModelVersionHashesDigest", NSPersistentStoreModelVersionChecksumKey, "NSPersistenceFrameworkVersion",
    "_NSAutoVacuumLevel", NSPersistentStoreDeferredLightweightMigrationOptionKey, deferredMigrationKey,
  ]

  /// The key of the clean-up that an in-place migration has left for later.
  package static let deferredMigrationKey = "_OCDDeferredMigration"

  /// Replaces the metadata by an application's dictionary. The type stays. The UUID and the keys that the framework needs
  /// stay if the dictionary has no value of the right kind for them.
  /// - Throws: 3852 for a value that no property list can hold; 134070 for an identifier that cannot be in an object's URI.
  package mutating func replace(with dictionary: [String: Any]) throws {
    var new = dictionary
    if let given = new.removeValue(forKey: NSStoreUUIDKey) as? String, given != identifier {
      try Self.check(identifier: given)
      identifier = given
    }
    for key in Self.frameworkKeys {
      if let old = properties[key], !Self.isSameKind(new[key], old) || key == NSStoreTypeKey { new[key] = old }
    }
    try Self.check(new)
    properties = new
  }

  /// Applies the changes from `old` to `new`, both of which include the UUID. Other keys stay, because another process
  /// may have changed them meanwhile.
  /// - Throws: the errors of `replace(with:)`.
  package mutating func apply(changesFrom old: [String: Any], to new: [String: Any]) throws {
    var merged = dictionary
    for key in Set(old.keys).union(new.keys) {
      let value = new[key]
      if let value, let known = old[key], NSArray(object: value) == NSArray(object: known) { continue }
      // An application cannot change the framework's own keys in this way; it can change the UUID.
      if Self.frameworkKeys.contains(key) { continue }
      merged[key] = value
    }
    try replace(with: merged)
  }

  private static func isSameKind(_ value: Any?, _ other: Any) -> Bool {
    switch other {
    case is [String: Data]: value is [String: Data]
    case is String: value is String
    case is NSNumber: value is NSNumber
    default: value != nil
    }
  }

  package static func check(_ properties: [String: Any]) throws {
    guard !PropertyListSerialization.propertyList(properties, isValidFor: .binary) else { return }
    let wrong = properties.filter { !PropertyListSerialization.propertyList([$0.key: $0.value], isValidFor: .binary) }
    throw NSError(
      coreData: CocoaError.Code.propertyListWriteInvalid.rawValue,
      "A store's metadata can hold what a property list can, and these are something else: "
        + wrong.keys.sorted().joined(separator: ", "))
  }

  private static func check(identifier: String) throws {
    let isHost = identifier.utf8.allSatisfy {
      $0 == 45 || $0 == 46 || (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0)
    }
    guard isHost, !identifier.isEmpty else {
      throw NSError(
        coreData: NSPersistentStoreOperationError,
        "A store's identifier is part of its objects' URIs: letters, digits, '-' and '.', not '\(identifier)'.")
    }
  }
}

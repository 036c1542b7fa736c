import Foundation
import OpenCocoaFoundation

extension CodingUserInfoKey {
  /// The key under which a decoder's `userInfo` has the coordinator that decoded object IDs belong to.
  ///
  /// Not in Apple's framework (D-EXT-30).
  public static let persistentStoreCoordinator: CodingUserInfoKey = {
    guard let key = CodingUserInfoKey(rawValue: "NSPersistentStoreCoordinator") else {
      preconditionFailure("every text is a key")
    }
    return key
  }()
}

/// An ID is encoded as the text of its URI. A typed predicate can therefore capture IDs.
///
/// ```swift
/// let id = try fetchEntry("Monday", in: context).objectID
/// let data = try JSONEncoder().encode([id])
/// let decoder = JSONDecoder()
/// decoder.userInfo[.persistentStoreCoordinator] = context.persistentStoreCoordinator
/// print(try decoder.decode([NSManagedObjectID].self, from: data) == [id])  // true
/// ```
///
/// Not in Apple's framework (D-EXT-30).
extension NSManagedObjectID: Codable {
  /// Decodes an ID of a store of the coordinator that the decoder's `userInfo` has under
  /// `CodingUserInfoKey.persistentStoreCoordinator`.
  /// - Throws: `DecodingError.dataCorrupted` without a coordinator there, and for a URI of another store, a temporary ID or no
  ///   URI at all; `DecodingError.typeMismatch` for what is no text.
  public convenience init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let coordinator = decoder.userInfo[.persistentStoreCoordinator] as? NSPersistentStoreCoordinator else {
      throw DecodingError.dataCorruptedError(
        in: container,
        debugDescription:
          "The decoder's userInfo has no coordinator under the key persistentStoreCoordinator for the ID \(text).")
    }
    guard let uri = URL(string: text), let known = coordinator.managedObjectID(forURIRepresentation: uri) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "\(text) is the URI of no object in a store of the coordinator.")
    }
    self.init(copying: known)
  }

  /// Encodes the text of the ID's URI. The URI of a temporary ID, of an object that was not saved, cannot be decoded again.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(uriRepresentation().absoluteString)
  }
}

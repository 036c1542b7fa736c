import Foundation
import OpenCocoaFoundation

// What errors say of a store.
extension NSPersistentStore {
  /// For every request that this kind of store does not know.
  final func unsupported(_ request: NSPersistentStoreRequest) -> NSError {
    NSError(
      coreData: NSPersistentStoreUnsupportedRequestTypeError,
      "A store of type \(type) does not support requests of type \(Swift.type(of: request)).")
  }

  /// For every attempt to write a store that was opened for reading only.
  final var readOnlyError: NSError {
    NSError(
      coreData: CocoaError.Code.fileWriteNoPermission.rawValue, "The store at \(place) was opened for reading only.",
      [NSFilePathErrorKey: place])
  }

  /// Where the store is, for people.
  final var place: String {
    guard let url, url.path != "/dev/null" else { return "\(type) \(identifier ?? "")" }
    return url.isFileURL ? url.path : url.absoluteString
  }
}

import Foundation
import OpenCocoaFoundation

// Errors about a store.
extension NSPersistentStore {
  /// The error for a request that this kind of store does not support.
  package final func unsupported(_ request: NSPersistentStoreRequest) -> NSError {
    NSError(
      coreData: NSPersistentStoreUnsupportedRequestTypeError,
      "A store of type \(type) does not support requests of type \(Swift.type(of: request)).")
  }

  /// The error for an attempt to write a store that was opened for reading only.
  package final var readOnlyError: NSError {
    NSError(
      coreData: CocoaError.Code.fileWriteNoPermission.rawValue, "The store at \(place) was opened for reading only.",
      [NSFilePathErrorKey: place])
  }

  /// The place of the store as error messages name it.
  package final var place: String {
    guard let url, !url.isPrivateStore else { return "\(type) \(identifier ?? "")" }
    return url.placeOfStore
  }

  /// The mode of the store's file; nil if the store has no file.
  package final var fileMode: mode_t? {
    guard Swift.type(of: self).isFile, let url, url.isFileURL, !url.isPrivateStore else { return nil }
    return FileMode.ofFile(url.path)
  }
}

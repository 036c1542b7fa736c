import Foundation

extension CocoaError {
  /// The conflicts of a save with what others have written, of an error with the code 133020.
  public var persistentStoreSaveConflicts: [NSMergeConflict]? {
    userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict]
  }
}

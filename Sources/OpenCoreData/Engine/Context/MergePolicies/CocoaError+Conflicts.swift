import Foundation

extension CocoaError {
  /// The conflicts in an error with the code 133020: objects of a save whose rows others have changed.
  public var persistentStoreSaveConflicts: [NSMergeConflict]? {
    userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict]
  }
}

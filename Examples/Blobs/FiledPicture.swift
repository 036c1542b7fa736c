import CoreData
import Foundation

/// A picture whose bytes are in a file of the program's own.
///
/// Core Data knows nothing of the file, so that the program has to keep both in step. A file is written before the save that
/// names it, and removed after the save that no longer does: whatever fails in between, no row names a file that is missing.
/// A file that no row names may be left, and is removed by ``PictureFolder/removeOrphans(in:)``.
class FiledPicture: NSManagedObject, Picture {
  /// The file that the saved row names, while this context has given the picture another.
  private var formerFile: String?

  /// The folder of the pictures, beside the store.
  private var folder: PictureFolder? {
    managedObjectContext?.persistentStoreCoordinator?.persistentStores.first?.url.map(PictureFolder.init(store:))
  }

  func picture() throws -> Data? {
    guard let name = fileName else { return nil }
    return try folder?.read(name)
  }

  func setPicture(_ bytes: Data) throws {
    // A new name: until the save, other contexts read the old file.
    let name = try folder?.write(bytes)
    if formerFile == nil { formerFile = committedValues(forKeys: ["fileName"])["fileName"] as? String }
    fileName = name
  }

  override func didSave() {
    super.didSave()
    // A child context saves to its parent, which may give the change up: the store's row still names the file.
    if managedObjectContext?.parent != nil { return }
    if isDeleted, let name = fileName { folder?.remove(name) }
    if let name = formerFile, name != fileName { folder?.remove(name) }
    formerFile = nil
  }
}

import CoreData
import Foundation
import OpenCoreData

/// Two ways to a second store, and what neither of them knows: the program's own files.
struct Copying {
  let design: Design
  let container: NSPersistentContainer
  let store: URL

  /// A backup of the open store: pages of the file and its log, and the external values as they are.
  ///
  /// Apple's API has no such method; there, a coordinator that has not opened the store is asked to `replacePersistentStore`.
  /// - Throws: The errors of backing up, and of copying files.
  func backUp(to url: URL) throws {
    // The store was opened by the container.
    guard let open = container.persistentStoreCoordinator.persistentStore(for: store) else { return }
    try container.persistentStoreCoordinator.backUp(open, to: url)
    try copyFiles(to: url)
  }

  /// A copy by Apple's `replacePersistentStore`.
  ///
  /// - Throws: The errors of copying.
  func copy(to url: URL) throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: container.managedObjectModel)
    try coordinator.replacePersistentStore(
      at: url, destinationOptions: nil, withPersistentStoreFrom: store, sourceOptions: nil, type: .sqlite)
    try copyFiles(to: url)
  }

  /// A store that is copied without the program's files has pictures whose file is missing.
  private func copyFiles(to url: URL) throws {
    guard design == .files else { return }
    try FileManager.default.copyItem(at: PictureFolder(store: store).url, to: PictureFolder(store: url).url)
  }
}

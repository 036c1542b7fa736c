import CoreData
import Foundation
import Testing

/// Every file of a folder with its bytes.
struct FolderContents: Equatable {
  let files: [String: Data]

  init(_ folder: URL) throws {
    var files: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      files[name] = FileManager.default.contents(atPath: folder.appendingPathComponent(name).path) ?? Data()
    }
    self.files = files
  }
}

/// Opens a store that cannot be opened, checks that nothing in its folder changed, and gives the error.
func refusal(
  _ url: URL, _ model: NSManagedObjectModel = TestModel.library(), options: [AnyHashable: Any]? = nil,
  sourceLocation: SourceLocation = #_sourceLocation
) throws -> NSError {
  let folder = url.deletingLastPathComponent()
  let before = try FolderContents(folder)
  let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
  var caught: NSError?
  do {
    try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
    Issue.record("the store was opened", sourceLocation: sourceLocation)
  } catch { caught = error as NSError }
  #expect(coordinator.persistentStores.isEmpty, sourceLocation: sourceLocation)
  let after = try FolderContents(folder)
  #expect(
    Set(after.files.keys) == Set(before.files.keys), "files came or went", sourceLocation: sourceLocation)
  #expect(after == before, "bytes changed", sourceLocation: sourceLocation)
  let error = try #require(caught, sourceLocation: sourceLocation)
  #expect(error.domain == NSCocoaErrorDomain, sourceLocation: sourceLocation)
  #expect(error.userInfo[NSFilePathErrorKey] as? String == url.path, "\(error)", sourceLocation: sourceLocation)
  #expect(error.localizedDescription.contains(url.path), "\(error)", sourceLocation: sourceLocation)
  return error
}

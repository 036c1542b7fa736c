import Foundation
import Testing

@testable import OpenCoreData

/// Folders of stores in memory that other programs may still use, and those that killed ones left.
@Suite struct PrivateStoreFolderTests {
  /// A folder as a process makes it whose number is not found: that of an ended process, or one of another container that
  /// shares the base.
  private static func folderOfAProcessThatIsNotFound() throws -> String {
    // Greater than the greatest number that Linux gives out.
    let folder = "\(PrivateStoreFolder.base)/OpenCoreData-\(1 << 23)-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    return folder
  }

  @Test func aFolderThatIsLockedIsUsedByAProcessOfAnotherContainer() throws {
    let folder = try Self.folderOfAProcessThatIsNotFound()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    try #require(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
    PrivateStoreFolder.removeAbandoned()
    #expect(FileManager.default.fileExists(atPath: folder))
    // As the system does for a process that ends.
    close(descriptor)
    PrivateStoreFolder.removeAbandoned()
    #expect(!FileManager.default.fileExists(atPath: folder))
  }

  @Test func aFolderOfThisProcessIsLockedUntilItIsRemoved() throws {
    let store = try PrivateStoreFolder.make()
    let folder = URL(fileURLWithPath: store).deletingLastPathComponent().path
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { close(descriptor) }
    #expect(flock(descriptor, LOCK_EX | LOCK_NB) != 0)
    PrivateStoreFolder.removeAbandoned()
    #expect(FileManager.default.fileExists(atPath: folder))
    PrivateStoreFolder.remove(storePath: store)
    #expect(!FileManager.default.fileExists(atPath: folder))
    #expect(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
  }
}

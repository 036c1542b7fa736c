import CoreData
import Testing

/// Models of the program's targets, each of which has a bundle of its own.
@Suite struct ProgramModelTests {
  private let own: URL
  private let model: NSManagedObjectModel

  init() throws {
    own = try #require(Bundle.module.url(forResource: "Barn", withExtension: "momd"))
    model = try #require(NSManagedObjectModel(contentsOf: own))
  }

  /// On Apple's platforms the main bundle has an application's models.
  @Test func theMainBundleStandsForTheTargets() throws {
    let found = try #require(Bundle.main._modelURL(forResource: "Barn", withExtension: "momd"))
    #expect(NSManagedObjectModel(contentsOf: found) == model)
    #expect(Bundle.main._modelPath(forResource: "Barn", ofType: "momd") == found.path)
    let models = try #require(Bundle.main._modelURLs(forResourcesWithExtension: "momd", subdirectory: nil))
    #expect(models.contains(found))
    let reference = NSManagedObjectModelReference(name: "Barn", in: .main, versionChecksum: model.versionChecksum)
    #expect(reference.resolvedModel == model)
  }

  @Test func versionsAreFoundInTheModel() throws {
    let versions = try #require(Bundle.main._modelURLs(forResourcesWithExtension: "mom", subdirectory: "Barn.momd"))
    let version = try #require(versions.first)
    let name = version.deletingPathExtension().lastPathComponent
    #expect(
      Bundle.main._modelURL(forResource: name, withExtension: "mom", subdirectory: "Barn.momd")?.path == version.path)
    #expect(Bundle.main._modelPaths(forResourcesOfType: "mom", inDirectory: "Barn.momd") == versions.map(\.path))
    #expect(Bundle.main._modelURL(forResource: "Nothing", withExtension: "mom", subdirectory: "Barn.momd") == nil)
  }

  /// A bundle that somebody has named means itself.
  @Test func otherBundlesHaveTheirOwnAlone() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).resources")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let bundle = try #require(Bundle(path: folder.path))
    #expect(bundle._modelURL(forResource: "Barn", withExtension: "momd") == nil)
    #expect(bundle._modelURLs(forResourcesWithExtension: "momd", subdirectory: nil) == nil)
    #expect(Bundle.module._modelURL(forResource: "Barn", withExtension: "momd") == own)
  }
}

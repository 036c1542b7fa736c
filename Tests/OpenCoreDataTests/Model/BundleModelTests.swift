import Foundation
import OpenCocoaFoundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// Models found in bundles.
@Suite struct BundleModelTests {
  /// Calls a block with a bundle that holds the fixture, compiled, and as source too.
  private func withBundle(_ body: (Bundle, URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).resources")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let source = try #require(SourceModelTests.fixture)
    _ = try CompiledModel.compile(source, into: folder)
    try FileManager.default.copyItem(at: source, to: folder.appendingPathComponent(source.lastPathComponent))
    try body(try #require(Bundle(path: folder.path)), folder)
  }

  @Test func currentVersionsAreMerged() throws {
    try withBundle { bundle, folder in
      try EverythingModel.make().write(compiledModelTo: folder.appendingPathComponent("Other.mom"))
      let merged = try #require(NSManagedObjectModel.mergedModel(from: [bundle]))
      #expect(Set(merged.entitiesByName.keys) == ["Item", "Book", "Author", "Person", "Writer", "Pet"])
      #expect(Set(merged.fetchRequestTemplatesByName.keys) == ["allBooks", "byName"])
      #expect(merged.fetchRequestTemplate(forName: "allBooks")?.entity === merged.entitiesByName["Book"])
    }
  }

  @Test func metadataChooseAVersion() throws {
    try withBundle { bundle, folder in
      let versions = try ModelFile.versions(of: folder.appendingPathComponent("Library.momd"))
      #expect(versions.count == 2)
      for version in versions {
        let model = try NSManagedObjectModel(validatingContentsOf: version)
        let metadata = ["NSStoreModelVersionHashes": model.entityVersionHashesByName]
        #expect(NSManagedObjectModel.mergedModel(from: [bundle], forStoreMetadata: metadata) == model)
      }
      #expect(
        NSManagedObjectModel.mergedModel(
          from: [bundle], forStoreMetadata: ["NSStoreModelVersionHashes": ["Item": Data([1])]]) == nil)
    }
  }

  @Test func bundlesWithoutModels() throws {
    #expect(NSManagedObjectModel.mergedModel(from: []) == nil)
    try withBundle { bundle, folder in
      try Data("no model".utf8).write(to: folder.appendingPathComponent("Other.mom"))
      #expect(NSManagedObjectModel.mergedModel(from: [bundle]) == nil)
    }
  }
}

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

  /// Two programs of a package have a model of one name each, and their bundles lie in one folder.
  @Test func aProgramFindsItsOwnModelBesideAnothers() throws {
    let build = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: build) }
    func model(_ name: String, in bundle: String) throws -> URL {
      let url = build.appendingPathComponent("\(bundle)/\(name).mom")
      try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data().write(to: url)
      return url
    }
    let first = try model("Diary", in: "Pages_A-first.resources")
    let second = try model("Diary", in: "Pages_B.resources")
    let other = try model("Other", in: "Pages_A-first.resources")
    let registered = try model("Diary", in: "plugins")
    let folders = [build] + [first, second].map { $0.deletingLastPathComponent() }
    func found(_ owners: Set<String>, registered: URL? = nil) -> URL? {
      ModelLocator.find("Diary", in: folders, owners: owners, registered: registered)
    }
    #expect(found(["A_first"]) == first && found(["A_first"], registered: registered) == first)
    #expect(found(["B"]) == second && found(["B"], registered: registered) == second)
    #expect(found(["C"], registered: registered) == registered, "Its own bundle is not there.")
    #expect(found(["C"]) == first && found([]) == first, "Any bundle is better than none.")

    func merged(_ owners: [String: Set<String>], registered: [URL] = []) -> [URL] {
      BundleModels.own([first, other, second], owners: owners, registered: registered)
    }
    #expect(merged(["Diary": ["B"]]) == [other, second])
    #expect(merged(["Diary": ["A_first", "B"]]) == [first, other, second])
    #expect(merged(["Diary": ["C"]], registered: [registered]) == [other, registered])
    #expect(merged(["Diary": ["C"]]) == [other, first, second] && merged([:]) == [first, other, second])

    // A model in the main bundle itself comes first, whoever has registered one.
    let main = try model("Diary", in: ".")
    #expect(found(["B"], registered: registered)?.standardizedFileURL == main.standardizedFileURL)
  }

  @Test func messagesSayWhereModelsAre() throws {
    #expect(KnownModels.text(of: []).contains("CoreDataCodegen"))
    let models = ["/b/B.resources/D.momd", "/a.resources/E.mom", "/b/B.resources/C.momd"].map {
      URL(fileURLWithPath: $0)
    }
    #expect(
      KnownModels.text(of: models)
        == "There are models here: E.mom in /a.resources; C.momd, D.momd in /b/B.resources. "
        + "A target's own bundle is Bundle.module.")
    let error = #expect(throws: NSError.self) { try ModelLocator.model(named: "Nothing") }
    let known = KnownModels.text(of: BundleModels.urls(in: nil))
    #expect(error?.code == 260 && error?.localizedDescription.hasSuffix(known) == true)
    let folder = FileManager.default.temporaryDirectory
    let reference = NSManagedObjectModelReference(name: "Nothing", in: Bundle(path: folder.path), versionChecksum: "x")
    let missing = #expect(throws: NSError.self) { try reference.resolve() }
    #expect(missing?.localizedDescription.hasSuffix(known) == true)
  }

  @Test func bundlesWithoutModels() throws {
    #expect(NSManagedObjectModel.mergedModel(from: []) == nil)
    try withBundle { bundle, folder in
      try Data("no model".utf8).write(to: folder.appendingPathComponent("Other.mom"))
      #expect(NSManagedObjectModel.mergedModel(from: [bundle]) == nil)
    }
  }
}

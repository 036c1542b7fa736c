import Foundation
import OpenCocoaFoundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// Source models compiled to `.mom` and `.momd`, and read back.
@Suite struct CompiledModelTests {
  private static func temporaryFolder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("compiled-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }

  @Test(.enabled(if: Corpus.isThere, "the corpus is not there")) func everySourceModelComesBackEqual() throws {
    let folder = try Self.temporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("Model.mom")
    for contents in Corpus.files("/contents") {
      let model = try NSManagedObjectModel(validatingContentsOf: contents.deletingLastPathComponent())
      try model.write(compiledModelTo: file)
      let read = try NSManagedObjectModel(validatingContentsOf: file)
      #expect(read == model, "\(contents.path)")
      #expect(read.entityVersionHashesByName == model.entityVersionHashesByName, "\(contents.path)")
      #expect(read.versionIdentifiers == model.versionIdentifiers, "\(contents.path)")
    }
  }

  /// What Apple's compiler made, read and written again, says the same.
  @Test(.enabled(if: Corpus.isThere, "the corpus is not there")) func everyCompiledModelComesBackEqual() throws {
    let files = Corpus.files(".mom")
    #expect(files.count > 10)
    for file in files {
      let model = try NSManagedObjectModel(validatingContentsOf: file)
      let read = NSManagedObjectModel()
      try ModelDecoder.decode(ModelEncoder.encode(model, as: .compiled), into: read)
      #expect(read == model, "\(file.path)")
    }
  }

  @Test(.enabled(if: Corpus.isThere, "the corpus is not there")) func requestsOfApplesCompilerAreRead() throws {
    let compiled = try #require(Corpus.files("Model.momd/Model 2.mom", below: "compiled-models").first)
    let source = try #require(Corpus.files("Model 2.xcdatamodel/contents", below: "compiled-models").first)
    let (first, second) = (
      try NSManagedObjectModel(validatingContentsOf: compiled),
      try NSManagedObjectModel(validatingContentsOf: source.deletingLastPathComponent())
    )
    #expect(first.templates.count == 3 && first.templates == second.templates)
    let name = "fetchedProperty"
    let fetched = try #require(
      first.entitiesByName["MainEntity"]?.propertiesByName[name] as? NSFetchedPropertyDescription)
    #expect(fetched == second.entitiesByName["MainEntity"]?.propertiesByName[name])
    #expect(fetched.fetchRequest?.entityName == "NewEntity" && fetched.isTransient)
  }

  @Test(.enabled(if: Corpus.isThere, "the corpus is not there")) func versionInfoIsThatOfApplesCompiler() throws {
    let folder = try Self.temporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    var compared = 0
    for info in Corpus.files("VersionInfo.plist", below: "compiled-models") {
      let name = info.deletingLastPathComponent().deletingPathExtension().lastPathComponent
      for current in Corpus.files("\(name).xcdatamodeld/.xccurrentversion", below: "compiled-models") {
        let repository = current.pathComponents.prefix { $0 != "compiled-models" }.count + 1
        guard current.pathComponents[repository] == info.pathComponents[repository] else { continue }
        let result = try CompiledModel.compile(current.deletingLastPathComponent(), into: folder)
        #expect(result.lastPathComponent == name + ".momd")
        let ours = try list(result.appendingPathComponent("VersionInfo.plist"))
        let theirs = try list(info)
        for (key, value) in theirs {
          // A compiled model of the corpus may be older than the source beside it.
          guard key == "NSManagedObjectModel_VersionHashes" else { continue }
          let expected = try #require(value as? [String: [String: Data]])
          let found = try #require(ours[key] as? [String: [String: Data]])
          for (version, hashes) in expected where Set(found[version]?.keys ?? [:].keys) == Set(hashes.keys) {
            #expect(found[version] == hashes, "\(info.path) \(version)")
            compared += 1
          }
        }
        if let checksums = theirs["NSManagedObjectModel_VersionChecksums"] as? [String: String] {
          #expect(ours["NSManagedObjectModel_VersionChecksums"] as? [String: String] == checksums, "\(info.path)")
        }
        #expect(
          ours["NSManagedObjectModel_CurrentVersionName"] as? String
            == theirs["NSManagedObjectModel_CurrentVersionName"] as? String, "\(info.path)")
      }
    }
    #expect(compared > 5)
  }

  private func list(_ file: URL) throws -> [String: Any] {
    try #require(
      try PropertyListSerialization.propertyList(from: Data(contentsOf: file), format: nil) as? [String: Any])
  }

  @Test func foldersOfVersions() throws {
    let folder = try Self.temporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let source = try #require(SourceModelTests.fixture)
    for _ in 0..<2 {
      let result = try CompiledModel.compile(source, into: folder.appendingPathComponent("new"))
      #expect(
        try NSManagedObjectModel(validatingContentsOf: result) == NSManagedObjectModel(validatingContentsOf: source))
      #expect(try FileManager.default.contentsOfDirectory(atPath: result.path).count == 3)
      #expect(try FileManager.default.contentsOfDirectory(atPath: result.deletingLastPathComponent().path).count == 1)
    }
    let versions = try ModelFile.versions(of: source)
    let single = try CompiledModel.compile(versions[1], into: folder)
    #expect(single.pathExtension == "mom")
    #expect(
      try NSManagedObjectModel(validatingContentsOf: single) == NSManagedObjectModel(validatingContentsOf: versions[1]))
  }

  @Test func compilingAgainReplacesTheFolder() throws {
    let folder = try Self.temporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let source = try #require(SourceModelTests.fixture)
    let result = try CompiledModel.compile(source, into: folder)
    let rest = result.appendingPathComponent("Old.mom")
    try Data().write(to: rest)
    #expect(try CompiledModel.compile(source, into: folder).path == result.path)
    #expect(NSManagedObjectModel(contentsOf: result) != nil && !FileManager.default.fileExists(atPath: rest.path))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [result.lastPathComponent])
  }

  @Test func whatWasThereIsPutBackIfTheNewOneCannotBeMoved() throws {
    let folder = try Self.temporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let result = try CompiledModel.compile(try #require(SourceModelTests.fixture), into: folder)
    #expect(throws: CocoaError.self) { try CompiledModel.put(folder.appendingPathComponent(".gone.momd"), at: result) }
    #expect(NSManagedObjectModel(contentsOf: result) != nil)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [result.lastPathComponent])
  }

  @Test func aModelWithAMistakeLeavesWhatWasThere() throws {
    let folder = try Self.temporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let source = folder.appendingPathComponent("Library.xcdatamodeld")
    try FileManager.default.copyItem(at: try #require(SourceModelTests.fixture), to: source)
    let result = try CompiledModel.compile(source, into: folder)
    let broken = source.appendingPathComponent("Broken.xcdatamodel")
    try FileManager.default.createDirectory(at: broken, withIntermediateDirectories: true)
    try Data("<model><entity/></model>".utf8).write(to: broken.appendingPathComponent("contents"))
    let error = #expect(throws: NSError.self) { try CompiledModel.compile(source, into: folder) }
    #expect(error?.code == 134020)
    #expect(NSManagedObjectModel(contentsOf: result) != nil)
  }
}

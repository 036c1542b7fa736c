import CoreData
import Foundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// A mapping model's file that is asked for many pairs of versions.
@Suite struct MappingCandidateTests {
  private func version(_ number: Int) throws -> NSManagedObjectModel {
    let attributes = (0...number).map { "<attribute name='v\($0)' attributeType='String' optional='YES'/>" }
    return try MigrationFixture.model("<entity name='A'>\(attributes.joined())</entity><entity name='B'/>")
  }

  /// A compiled mapping model from one version to another.
  private func file(_ source: NSManagedObjectModel, _ destination: NSManagedObjectModel) throws -> URL {
    let url = try MigrationFixture.temporaryFolder().appendingPathComponent("A.cdm")
    try NSMappingModel.inferredMappingModel(forSourceModel: source, destinationModel: destination)
      .write(compiledMappingTo: url)
    return url
  }

  @Test func itRulesOutWhatDoesNotFit() throws {
    let versions = try (0..<5).map(version), url = try file(versions[1], versions[3])
    defer { try? FileManager.default.removeItem(at: url.deletingLastPathComponent()) }
    let candidate = MappingCandidate(url)
    for (first, source) in versions.enumerated() {
      for (second, destination) in versions.enumerated() {
        let fits = try NSMappingModel(
          fittingContentsOf: url, forSourceModel: source, destinationModel: destination)
        #expect(try candidate.mayFit(source, destination) == (fits != nil), "\(first) to \(second)")
        #expect((fits != nil) == ((first, second) == (1, 3)), "\(first) to \(second)")
      }
    }
  }

  @Test func theFileIsReadOnce() throws {
    let versions = try (0..<3).map(version), url = try file(versions[0], versions[1])
    defer { try? FileManager.default.removeItem(at: url.deletingLastPathComponent()) }
    let candidate = MappingCandidate(url)
    #expect(try candidate.mayFit(versions[0], versions[1]))
    try Data("no mapping model".utf8).write(to: url)
    #expect(try candidate.mayFit(versions[0], versions[1]) && !candidate.mayFit(versions[1], versions[2]))
    // The mappings come from the file as it is then.
    #expect(try NSMappingModel(among: [candidate], from: versions[0], to: versions[1]) == nil)
  }

  @Test func anErrorIsToldEachTime() throws {
    let versions = try (0..<2).map(version), folder = try MigrationFixture.temporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let candidate = MappingCandidate(folder.appendingPathComponent("Missing.cdm"))
    for _ in 0..<2 {
      let error = #expect(throws: NSError.self) { try candidate.mayFit(versions[0], versions[1]) }
      #expect(error?.code == CocoaError.Code.fileReadNoSuchFile.rawValue)
    }
  }
}

import CoreData
import Foundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// Mapping models that are found in bundles by the version hashes of the models.
@Suite struct MappingBundleTests {
  private let folder: URL

  init() throws { folder = try MigrationFixture.temporaryFolder() }

  private func find(_ source: NSManagedObjectModel?, _ destination: NSManagedObjectModel?) throws -> NSMappingModel? {
    NSMappingModel(
      from: [try #require(Bundle(path: folder.path))], forSourceModel: source, destinationModel: destination)
  }

  private func copy(_ name: String, as other: String? = nil) throws {
    try FileManager.default.copyItem(
      at: MigrationFixture.folder.appendingPathComponent(name), to: folder.appendingPathComponent(other ?? name))
  }

  @Test func aCompiledOne() throws {
    let (first, second) = (try MigrationFixture.notes(1), try MigrationFixture.notes(2))
    #expect(try find(first, second) == nil)
    try copy("Notes.cdm")
    try Data("nothing".utf8).write(to: folder.appendingPathComponent("A.cdm"))
    #expect(try find(first, second)?.entityMappings.count == 6)
    #expect(try find(second, first) == nil)
    #expect(try find(first, first) == nil)
    #expect(try find(nil, second) == nil && find(first, nil) == nil)
    #expect(NSMappingModel(from: [], forSourceModel: first, destinationModel: second) == nil)
    #expect(NSMappingModel(from: nil, forSourceModel: first, destinationModel: second) == nil)
    // A change that no hash counts does not matter, any other does.
    let changed = try MigrationFixture.notes(2)
    changed.entitiesByName["Tag"]?.userInfo = ["a": "b"]
    #expect(try find(first, changed) != nil)
    changed.entitiesByName["Tag"]?.versionHashModifier = "2"
    #expect(try find(first, changed) == nil)
  }

  @Test func xcodesOneWithItsModels() throws {
    let (first, second) = (try MigrationFixture.notes(1), try MigrationFixture.notes(2))
    try copy("Notes.xcmappingmodel")
    try copy("Notes.xcdatamodeld")
    #expect(try find(first, second)?.entityMappings.count == 6)
    // It names other versions, though all names are the same.
    let changed = try MigrationFixture.notes(2)
    changed.entitiesByName["Tag"]?.versionHashModifier = "2"
    #expect(try find(first, changed) == nil)
  }

  @Test func xcodesOneWithoutItsModels() throws {
    let (first, second) = (try MigrationFixture.notes(1), try MigrationFixture.notes(2))
    try copy("Notes.xcmappingmodel")
    #expect(try find(first, second)?.entityMappings.count == 6)
    #expect(try find(second, first) == nil)
    // An attribute that it does not map shows that it is for another version.
    let changed = try MigrationFixture.notes(2)
    changed.entitiesByName["Tag"]?.properties.append(TestModel.attribute("color", .stringAttributeType))
    #expect(try find(first, changed) == nil)
  }

  @Test func compiledModelsTellTheVersionToo() throws {
    let (first, second) = (try MigrationFixture.notes(1), try MigrationFixture.notes(2))
    try copy("Notes.xcmappingmodel")
    _ = try CompiledModel.compile(MigrationFixture.folder.appendingPathComponent("Notes.xcdatamodeld"), into: folder)
    #expect(try find(first, second) != nil)
    first.entitiesByName["Tag"]?.versionHashModifier = "0"
    #expect(try find(first, second) == nil)
  }

  @Test func oneThatWouldLoseObjectsDoesNotFit() throws {
    let (first, second) = (try MigrationFixture.notes(1), try MigrationFixture.notes(2))
    let model = try #require(NSMappingModel(contentsOf: MigrationFixture.folder.appendingPathComponent("Notes.cdm")))
    model.entityMappings.removeAll { $0.name == "TagToTag" }
    #expect(
      MappingFit.problem(model.entityMappings, first, second)
        == "No entity mapping takes the objects of the entity “Tag”.")
    try model.write(compiledMappingTo: folder.appendingPathComponent("Part.cdm"))
    #expect(try find(first, second) == nil)
    // An entity that is gone needs no mapping; of two that fit, the one that says more is taken.
    let less = try #require(NSMappingModel(contentsOf: MigrationFixture.folder.appendingPathComponent("Notes.cdm")))
    less.entityMappings.removeAll { $0.name == "Search" }
    try less.write(compiledMappingTo: folder.appendingPathComponent("A.cdm"))
    #expect(try find(first, second)?.entityMappings.count == 5)
    try copy("Notes.cdm", as: "B.cdm")
    #expect(try find(first, second)?.entityMappings.count == 6)
  }
}

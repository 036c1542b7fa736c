import Foundation
import Testing

@_spi(Store) @testable import OpenCoreData

@Suite struct MergingTests {
  private func tagModel() -> NSManagedObjectModel {
    let tag = NSEntityDescription()
    tag.name = "Tag"
    let model = NSManagedObjectModel()
    model.entities = [tag]
    return model
  }

  @Test func entitiesComeTogether() throws {
    let people = makePeopleModel()
    people.freeze()
    let merged = try #require(NSManagedObjectModel(byMerging: [people, tagModel(), makePeopleModel()]))
    #expect(Set(merged.entitiesByName.keys) == ["Animal", "person", "Writer", "Tag"])
    let owner = try #require(merged.entitiesByName["Animal"]?.relationshipsByName["owner"])
    #expect(owner.destinationEntity === merged.entitiesByName["person"])
    #expect(owner.inverseRelationship === merged.entitiesByName["person"]?.relationshipsByName["pets"])
    #expect(merged.entitiesByName["Writer"]?.superentity === merged.entitiesByName["person"])
    #expect(merged.entities.allSatisfy { $0.managedObjectModel === merged })
    #expect(merged.entityVersionHashesByName["person"] == people.entityVersionHashesByName["person"])
    #expect(NSManagedObjectModel(byMerging: []) == nil)
  }

  @Test func metadataChooseEntities() throws {
    let people = makePeopleModel()
    let metadata: [String: Any] = ["NSStoreModelVersionHashes": people.entityVersionHashesByName]
    let merged = try #require(NSManagedObjectModel(byMerging: [tagModel(), people], forStoreMetadata: metadata))
    #expect(merged == people)
    #expect(NSManagedObjectModel(byMerging: [tagModel()], forStoreMetadata: metadata) == nil)
  }

  @Test func differentEntitiesOfOneNameStop() async {
    await #expect(processExitsWith: .failure) {
      let people = makePeopleModel()
      people.entitiesByName["person"]?.isAbstract = true
      _ = NSManagedObjectModel(byMerging: [makePeopleModel(), people])
    }
  }
}

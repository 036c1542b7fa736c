import CoreData
import Foundation
import Testing

import class OpenCocoaFoundation.NSExpression

@_spi(Store) @testable import OpenCoreData

/// The mapping models that are inferred.
@Suite struct InferredMappingTests {
  private func text(_ before: String, _ after: String) throws -> String {
    let model = try NSMappingModel.inferredMappingModel(
      forSourceModel: MigrationFixture.model(before), destinationModel: MigrationFixture.model(after))
    return MigrationFixture.text(model.entityMappings)
  }

  @Test func everyKindOfMapping() throws {
    let text = try text(
      """
      <entity name='Author'><attribute name='name' attributeType='String' optional='YES'/>
        <relationship name='books' optional='YES' toMany='YES' destinationEntity='Book' inverseName='author'
          inverseEntity='Book'/></entity>
      <entity name='Book'><attribute name='title' attributeType='String' optional='YES'/>
        <attribute name='pages' attributeType='Integer 16' optional='YES'/>
        <relationship name='author' optional='YES' maxCount='1' destinationEntity='Author' inverseName='books'
          inverseEntity='Author'/>
        <relationship name='shelf' optional='YES' maxCount='1' destinationEntity='Shelf'/></entity>
      <entity name='Novel' parentEntity='Book'/><entity name='Gone'/>
      <entity name='Shelf'><attribute name='room' attributeType='String' optional='YES'/></entity>
      """,
      """
      <entity name='Author'><attribute name='name' attributeType='String' defaultValueString='unknown'/>
        <relationship name='works' elementID='books' optional='YES' toMany='YES' ordered='YES' destinationEntity='Work'
          inverseName='author' inverseEntity='Work'/></entity>
      <entity name='Work' elementID='Book'><attribute name='name' elementID='title' attributeType='String' optional='YES'/>
        <attribute name='pages' attributeType='Integer 64' optional='YES'/>
        <attribute name='year' attributeType='Integer 16' defaultValueString='1900'/>
        <relationship name='author' optional='YES' maxCount='1' destinationEntity='Author' inverseName='works'
          inverseEntity='Author'/>
        <relationship name='shelf' optional='YES' maxCount='1' destinationEntity='Shelf'/>
        <relationship name='tags' optional='YES' toMany='YES' destinationEntity='Tag'/></entity>
      <entity name='Novel' parentEntity='Work'/><entity name='Base' isAbstract='YES'/>
      <entity name='Shelf'><attribute name='room' attributeType='String' optional='YES'/></entity>
      <entity name='Tag'><attribute name='name' attributeType='String'/></entity>
      """)
    let owner = "FUNCTION($manager, \"destinationInstancesForEntityMappingNamed:sourceInstances:\" , "
    let members = "FUNCTION($manager, \"destinationInstancesForSourceRelationshipNamed:sourceInstances:\" , "
    #expect(
      text == """
        IEM_Transform_Author 5 Author>Author ##
          name = TERNARY($source.name != nil, $source.name, "unknown")
          works = \(members)"books", $source.books)
        IEM_Copy_Shelf 4 Shelf>Shelf ##
          room = $source.room
        IEM_Add_Tag 2 ->Tag -#
          name = nil
        IEM_Transform_Book 5 Book>Work ##
          name = $source.title
          pages = $source.pages
          year = nil
          author = \(owner)"IEM_Transform_Author", $source.author)
          shelf = \(owner)"IEM_Copy_Shelf", $source.shelf)
          tags = nil
        IEM_Transform_Novel 5 Novel>Novel ##
          name = $source.title
          pages = $source.pages
          year = nil
          author = \(owner)"IEM_Transform_Author", $source.author)
          shelf = \(owner)"IEM_Copy_Shelf", $source.shelf)
          tags = nil
        IEM_Remove_Gone 3 Gone>- #-
        """)
  }

  @Test func sourcesAndHashes() throws {
    let (before, after) = (try MigrationFixture.notes(1), try MigrationFixture.model("<entity name='Tag'/>"))
    let model = try NSMappingModel.inferredMappingModel(forSourceModel: before, destinationModel: after)
    let tag = try #require(model.entityMappings.first { $0.destinationEntityName == "Tag" })
    #expect(tag.userInfo?["mappedProperties"] as? Set<String> == [])
    let same = try NSMappingModel.inferredMappingModel(forSourceModel: before, destinationModel: before)
    #expect(
      same.entityMappingsByName["IEM_Copy_Folder"]?.userInfo?["mappedProperties"] as? Set<String> == ["name", "notes"])
    #expect(same.entityMappingsByName["IEM_Copy_Folder"]?.userInfo?["removedProperties"] as? Set<String> == [])
    // The names that only the source has, inherited ones included.
    let lost = Set(before.entitiesByName["Tag"]?.propertiesByName.keys.map(\.self) ?? [])
    #expect(!lost.isEmpty && tag.userInfo?["removedProperties"] as? Set<String> == lost)
    #expect(tag.sourceEntityVersionHash == before.entityVersionHashesByName["Tag"])
    #expect(tag.destinationEntityVersionHash == after.entityVersionHashesByName["Tag"])
    #expect(
      tag.sourceExpression?.description
        == "FETCH(FUNCTION($manager, \"fetchRequestForSourceEntityNamed:predicateString:\" , \"Tag\", \"TRUEPREDICATE\"), "
        + "$manager.sourceContext, NO)")
    #expect(model.entityMappings.filter { $0.mappingType == .removeEntityMappingType }.count == 4)
    #expect(MappingFit.problem(model.entityMappings, before, after) == nil)
  }

  @Test func namesSayWhatIsDone() throws {
    // The old A is B now, and there is a new A.
    let model = try NSMappingModel.inferredMappingModel(
      forSourceModel: MigrationFixture.model("<entity name='A'/><entity name='C' elementID='X'/>"),
      destinationModel: MigrationFixture.model("<entity name='A' elementID='Z'/><entity name='C'/>"))
    #expect(model.entityMappings.map(\.name).sorted() == ["IEM_Add_A", "IEM_Add_C", "IEM_Remove_A", "IEM_Remove_C"])
  }

  @Test func equalModelsAreCopied() throws {
    let model = try NSMappingModel.inferredMappingModel(
      forSourceModel: MigrationFixture.notes(1), destinationModel: MigrationFixture.notes(1))
    #expect(model.entityMappings.map(\.mappingType) == Array(repeating: .copyEntityMappingType, count: 5))
  }

  @Test func whatIsMissingIsFilledWithTheDefault() throws {
    let mapping = try NSMappingModel.inferredMappingModel(
      forSourceModel: MigrationFixture.model(
        "<entity name='A'><attribute name='x' attributeType='Integer 16' optional='YES'/></entity>"),
      destinationModel: MigrationFixture.model(
        "<entity name='A'><attribute name='y' elementID='x' attributeType='Integer 16' defaultValueString='7'/></entity>"
      ))
    let expression = try #require(mapping.entityMappings.first?.attributeMappings?.first?.valueExpression)
    func value(_ source: [String: Any]) -> Any? {
      expression.expressionValue(with: nil, context: [NSMigrationSourceObjectKey: source])
    }
    #expect(value([:]) as? Int == 7)
    #expect(value(["x": 3]) as? Int == 3)
  }
}

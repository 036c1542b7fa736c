import Foundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// A person has pets; a writer is a person. Shared by the tests of this folder.
func makePeopleModel() -> NSManagedObjectModel {
  let name = NSAttributeDescription()
  name.name = "name"
  name.attributeType = .stringAttributeType
  let age = NSAttributeDescription()
  age.name = "age"
  age.type = .integer16
  age.defaultValue = 5
  let petName = NSAttributeDescription()
  petName.name = "petName"
  petName.attributeType = .stringAttributeType
  let pets = NSRelationshipDescription()
  pets.name = "pets"
  let owner = NSRelationshipDescription()
  owner.name = "owner"
  owner.maxCount = 1
  let person = NSEntityDescription()
  person.name = "person"
  let writer = NSEntityDescription()
  writer.name = "Writer"
  let pet = NSEntityDescription()
  pet.name = "Animal"
  person.properties = [name, pets]
  writer.properties = [age]
  pet.properties = [petName, owner]
  person.subentities = [writer]
  pets.destinationEntity = pet
  pets.inverseRelationship = owner
  owner.destinationEntity = person
  owner.inverseRelationship = pets
  person.indexes = [
    NSFetchIndexDescription(
      name: "byName", elements: [NSFetchIndexElementDescription(property: name, collationType: .binary)])
  ]
  let model = NSManagedObjectModel()
  model.entities = [person, pet]
  return model
}

@Suite struct DescriptionTests {
  @Test func subentitiesSeeInheritedProperties() throws {
    let model = makePeopleModel()
    for _ in 0..<2 {
      let person = try #require(model.entitiesByName["person"])
      let writer = try #require(model.entitiesByName["Writer"])
      #expect(Set(writer.propertiesByName.keys) == ["name", "pets", "age"])
      #expect(writer.declaredProperties.map(\.name) == ["age"])
      #expect(writer.relationshipsByName["pets"] === person.relationshipsByName["pets"])
      #expect(writer.attributesByName["name"]?.entity === person)
      #expect(writer.rootEntity === person && writer.isKindOf(entity: person) && !person.isKindOf(entity: writer))
      #expect(writer.managedObjectModel === model)
      #expect(
        try #require(model.entitiesByName["Animal"]).relationships(forDestination: person).map(\.name) == ["owner"])
      model.freeze()
    }
  }

  @Test func entitiesAreNumberedDepthFirst() {
    let model = makePeopleModel()
    #expect(model.entitiesInStoreOrder.map(\.name) == ["Animal", "person", "Writer"])
    model.freeze()
    #expect(model.entitiesInStoreOrder.map(\.storeNumber) == [1, 2, 3])
  }

  @Test func copyIsEqualAndIndependent() throws {
    let model = makePeopleModel()
    model.setEntities([try #require(model.entitiesByName["Animal"])], forConfigurationName: "Animals")
    model.freeze()
    let copy = try #require(model.copy() as? NSManagedObjectModel)
    #expect(copy == model)
    let person = try #require(copy.entitiesByName["person"])
    let owner = try #require(copy.entitiesByName["Animal"]?.relationshipsByName["owner"])
    #expect(owner.destinationEntity === person)
    #expect(owner.inverseRelationship === person.relationshipsByName["pets"])
    #expect(person.indexes.first?.elements.first?.property === person.propertiesByName["name"])
    #expect(copy.entities(forConfigurationName: "Animals")?.first === copy.entitiesByName["Animal"])
    #expect(copy.entities(forConfigurationName: "None") == nil)
    person.propertiesByName["name"]?.isOptional = false
    #expect(copy != model)
  }

  @Test func defaultsAreApples() {
    let attribute = NSAttributeDescription()
    #expect(attribute.isOptional && !attribute.isTransient && attribute.attributeType == .undefinedAttributeType)
    attribute.attributeType = .integer32AttributeType
    #expect(attribute.attributeValueClassName == "NSNumber")
    attribute.defaultValue = Int16(7)
    #expect(attribute.defaultValue as? NSNumber == 7)
    let relationship = NSRelationshipDescription()
    #expect(relationship.isToMany && relationship.deleteRule == .nullifyDeleteRule)
    let entity = NSEntityDescription()
    #expect(entity.managedObjectClassName == "NSManagedObject" && !entity.isAbstract)
  }

  @Test func changingAModelInUseStops() async {
    await #expect(processExitsWith: .failure) {
      let model = makePeopleModel()
      model.freeze()
      model.entitiesByName["person"]?.name = "Other"
    }
  }
}

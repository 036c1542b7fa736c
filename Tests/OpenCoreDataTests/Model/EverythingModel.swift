import Foundation
import OpenCocoaFoundation

import class OpenCocoaFoundation.NSExpression

@_spi(Store) @testable import OpenCoreData

/// A model with everything that descriptions can say, for tests that nothing is lost or passed over.
enum EverythingModel {
  static func make() -> NSManagedObjectModel {
    let model = NSManagedObjectModel()
    let person = person()
    let writer = NSEntityDescription()
    writer.name = "Writer"
    writer.properties = [derived(), fetched()]
    let pet = pet()
    person.subentities = [writer]
    link(person, pet)
    person.indexes = [index(person)]
    person.compoundIndexes = [["name", "age"]]
    person.uniquenessConstraints = [["name"], ["age", "name"]]
    model.entities = [person, pet]
    model.setEntities([pet], forConfigurationName: "Animals")
    model.versionIdentifiers = ["1.0", "beta"]
    model.localizationDictionary = ["Property/name/Entity/Person": "Name"]
    model.setFetchRequestTemplate(request(), forName: "byName")
    return model
  }

  private static func person() -> NSEntityDescription {
    let person = NSEntityDescription()
    person.name = "Person"
    person.isAbstract = true
    person.managedObjectClassName = "Module.Person"
    person.renamingIdentifier = "Human"
    person.versionHashModifier = "2"
    person.userInfo = ["table": "people", "size": 3]
    let name = attribute("name", .stringAttributeType)
    name.limits = AttributeLimits(minimum: 1, maximum: 20, pattern: "\\S+")
    name.setValidationPredicates(
      [NSPredicate(format: "SELF != %@ AND length IN {1, 2, 3}", "x"), NSPredicate(format: "length > 0")],
      withValidationWarnings: ["not x", "not empty"])
    name.limits = AttributeLimits(minimum: 1, maximum: 20, pattern: "\\S+")
    name.isOptional = false
    name.isIndexed = true
    name.allowsCloudEncryption = true
    name.preservesValueInHistoryOnDeletion = true
    name.versionHashModifier = "a"
    name.renamingIdentifier = "title"
    name.userInfo = [
      "key": "value", "date": Date(timeIntervalSinceReferenceDate: 1), "list": [1, "a", [true]] as [Any],
    ]
    let age = attribute("age", .integer16AttributeType)
    age.defaultValue = 7
    age.limits = AttributeLimits(minimum: 0, maximum: 150)
    let born = attribute("born", .dateAttributeType)
    born.limits = AttributeLimits(
      earliest: Date(timeIntervalSinceReferenceDate: -10), latest: Date(timeIntervalSinceReferenceDate: 10))
    let data = attribute("data", .binaryDataAttributeType)
    data.allowsExternalBinaryDataStorage = true
    let color = attribute("color", .transformableAttributeType)
    color.valueTransformerName = "ColorTransformer"
    color.attributeValueClassName = "Color"
    color.isTransient = true
    let place = NSCompositeAttributeDescription()
    place.name = "place"
    let latitude = attribute("latitude", .doubleAttributeType)
    latitude.limits = AttributeLimits(minimum: -90, maximum: 90)
    latitude.userInfo = ["unit": "degree"]
    place.elements = [latitude, attribute("longitude", .doubleAttributeType)]
    person.properties = [name, age, born, data, color, place]
    return person
  }

  private static func pet() -> NSEntityDescription {
    let pet = NSEntityDescription()
    pet.name = "Pet"
    return pet
  }

  private static func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    attribute.name = name
    attribute.attributeType = type
    return attribute
  }

  private static func derived() -> NSDerivedAttributeDescription {
    let derived = NSDerivedAttributeDescription()
    derived.name = "petCount"
    derived.attributeType = .integer64AttributeType
    derived.derivationExpression = NSExpression(forFunction: "count:", arguments: [NSExpression(forKeyPath: "pets")])
    return derived
  }

  private static func fetched() -> NSFetchedPropertyDescription {
    let fetched = NSFetchedPropertyDescription()
    fetched.name = "namesakes"
    let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Person")
    request.predicate = NSPredicate(format: "name ==[cd] $FETCH_SOURCE.name AND age > %d", 3)
    fetched.fetchRequest = request
    fetched.userInfo = ["key": "value"]
    return fetched
  }

  private static func link(_ person: NSEntityDescription, _ pet: NSEntityDescription) {
    let pets = NSRelationshipDescription()
    pets.name = "pets"
    pets.minCount = 1
    pets.maxCount = 9
    pets.deleteRule = .cascadeDeleteRule
    pets.isOrdered = true
    let owner = NSRelationshipDescription()
    owner.name = "owner"
    owner.maxCount = 1
    owner.deleteRule = .denyDeleteRule
    person.properties.append(pets)
    pet.properties = [owner]
    (pets.destinationEntity, pets.inverseRelationship) = (pet, owner)
    (owner.destinationEntity, owner.inverseRelationship) = (person, pets)
  }

  private static func index(_ person: NSEntityDescription) -> NSFetchIndexDescription {
    var elements = ["name", "age"].compactMap { name in
      person.propertiesByName[name].map { NSFetchIndexElementDescription(property: $0, collationType: .binary) }
    }
    elements[0].isAscending = false
    let initial = NSExpressionDescription()
    initial.name = "initial"
    initial.expression = NSExpression(forFunction: "uppercase:", arguments: [NSExpression(forKeyPath: "name")])
    initial.expressionResultType = .stringAttributeType
    elements.append(NSFetchIndexElementDescription(property: initial, collationType: .binary))
    let index = NSFetchIndexDescription(name: "adults", elements: elements)
    index.partialIndexPredicate = NSPredicate(format: "age >= 18")
    return index
  }

  static func request() -> NSFetchRequest<any NSFetchRequestResult> {
    let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Person")
    request.predicate = NSPredicate(
      format: "name BEGINSWITH[c] $NAME OR SUBQUERY(pets, $p, $p.owner == $OWNER).@count > 2")
    request.sortDescriptors = [
      NSSortDescriptor(key: "name", ascending: false, selector: Selector("localizedStandardCompare:")),
      NSSortDescriptor(key: "age", ascending: true),
    ]
    request.fetchLimit = 10
    request.fetchOffset = 3
    request.fetchBatchSize = 5
    request.resultType = .managedObjectIDResultType
    request.includesSubentities = false
    request.includesPropertyValues = false
    request.includesPendingChanges = false
    request.returnsObjectsAsFaults = false
    request.relationshipKeyPathsForPrefetching = ["pets"]
    return request
  }
}

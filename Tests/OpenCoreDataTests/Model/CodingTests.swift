import Foundation
import OpenCocoaFoundation
import Testing

import class OpenCocoaFoundation.NSExpression

@_spi(Store) @testable import OpenCoreData

/// Descriptions through NSKeyedArchiver.
@Suite struct CodingTests {
  private func archived<T: NSObject & NSSecureCoding>(_ object: T) throws -> T {
    let data = try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
    return try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: T.self, from: data))
  }

  @Test func wholeModels() throws {
    let model = EverythingModel.make()
    let decoded = try archived(model)
    #expect(decoded == model && decoded.entityVersionHashesByName == model.entityVersionHashesByName)
    #expect(decoded.versionIdentifiers == model.versionIdentifiers)
    #expect(decoded.localizationDictionary == model.localizationDictionary)
    #expect(!decoded.isFrozen)
  }

  @Test(.enabled(if: Corpus.isThere, "the corpus is not there")) func modelsOfTheCorpus() throws {
    for file in Corpus.files("/contents") {
      let model = try NSManagedObjectModel(validatingContentsOf: file.deletingLastPathComponent())
      #expect(try archived(model) == model, "\(file.path)")
    }
  }

  @Test func entitiesBringWhatTheyReferTo() throws {
    let model = EverythingModel.make()
    let person = try #require(model.entitiesByName["Person"])
    for entity in model.entities {
      let decoded = try archived(entity)
      #expect(decoded == entity && decoded.versionHash == entity.versionHash, "\(entity)")
      #expect(decoded.managedObjectModel.entitiesByName["Pet"] != nil)
      #expect(decoded.superentity?.name == entity.superentity?.name)
      #expect(try archived(decoded) == decoded, "\(entity)")
    }
    let decoded = try archived(person)
    let pets = try #require(decoded.relationshipsByName["pets"])
    #expect(pets.destinationEntity?.name == "Pet" && pets.inverseRelationship?.name == "owner")
    #expect(decoded.subentities.first?.superentity === decoded)
    let alone = try #require(person.copy() as? NSEntityDescription)
    alone.name = nil
    #expect(try archived(alone).name == nil)
  }

  @Test func propertiesAndIndexes() throws {
    let model = EverythingModel.make()
    for entity in model.entities {
      for property in entity.declaredProperties {
        let decoded = try archived(property)
        #expect(decoded == property && decoded.versionHash == property.versionHash, "\(property)")
        #expect(decoded.entity.name == entity.name && Swift.type(of: decoded) == Swift.type(of: property))
        let copy = try #require(property.copy() as? NSPropertyDescription)
        #expect(try archived(copy) == copy, "\(property)")
      }
    }
    let index = try #require(model.entitiesByName["Person"]?.indexes.first)
    let decoded = try archived(index)
    #expect(decoded == index && decoded.entity?.name == "Person")
    let copy = try #require(index.copy() as? NSFetchIndexDescription)
    #expect(try archived(copy) == index && archived(copy).entity == nil)
    #expect(decoded.elements[0].indexDescription === decoded)
    let element = try archived(index.elements[0])
    #expect(element == index.elements[0] && element.property is NSAttributeDescription)
  }

  @Test func descriptionsOutsideOfModels() throws {
    let described = NSExpressionDescription()
    described.name = "oldest"
    described.expression = NSExpression(forFunction: "max:", arguments: [NSExpression(forKeyPath: "age")])
    described.resultType = .integer16
    #expect(try archived(described) == described)
    described.expression = nil
    #expect(try archived(described) == described)
    let plain = NSPropertyDescription()
    plain.name = "plain"
    #expect(try archived(plain) == plain)
    let attributes = [NSAttributeDescription(), NSAttributeDescription()]
    let data = try NSKeyedArchiver.archivedData(withRootObject: attributes, requiringSecureCoding: true)
    let classes = [NSArray.self, NSAttributeDescription.self]
    #expect(
      try NSKeyedUnarchiver.unarchivedObject(ofClasses: classes, from: data) as? [NSAttributeDescription] == attributes)
  }

  @Test func whatCannotBeArchivedStopsOnlyWhoAsks() async throws {
    let model = EverythingModel.make()
    let age = try #require(model.entitiesByName["Person"]?.attributesByName["age"])
    age.setValidationPredicates([NSPredicate { _, _ in true }], withValidationWarnings: ["never"])
    // The cache in a store is a help for others, so it does without; a compiled model would be another one.
    #expect(try ModelCache.decode(ModelCache.encode(model)).entities.count == 3)
    #expect(throws: ArchiveProblem.self) { try ModelEncoder.encode(model, as: .compiled) }
    await #expect(processExitsWith: .failure) {
      let attribute = NSAttributeDescription()
      attribute.setValidationPredicates([NSPredicate { _, _ in true }], withValidationWarnings: ["never"])
      _ = try NSKeyedArchiver.archivedData(withRootObject: attribute, requiringSecureCoding: true)
    }
  }

  @Test func otherArchivesAreRefused() throws {
    var random = SeededGenerator(for: "Damaged descriptions")
    let whole = try ModelEncoder.encode(EverythingModel.make(), as: .compiled)
    let classes: [AnyClass] = [
      NSManagedObjectModel.self, NSEntityDescription.self, NSAttributeDescription.self, NSRelationshipDescription.self,
      NSFetchedPropertyDescription.self, NSFetchIndexDescription.self, NSFetchIndexElementDescription.self,
    ]
    for round in 0..<100 * Soak.factor {
      let type: AnyClass = classes[round % classes.count]
      var data = whole
      for _ in 0..<round % 5 {
        data[Int.random(in: 0..<data.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      if round % 7 == 0 { data = Data(data.prefix(Int.random(in: 0..<data.count, using: &random))) }
      var writer = KeyedArchiveWriter()
      let fields: [String: PropertyListValue] = [
        "OCDModel": writer.add(.data(data)),
        "OCDEntity": writer.add(text: ["Person", "Pet", "None", ""].randomElement(using: &random)),
        "OCDProperty": writer.add(text: ["name", "pets", "none", ""].randomElement(using: &random)),
        "OCDIndex": .integer(Int64.random(in: -1...2, using: &random)),
      ]
      let root = writer.add([NSStringFromClass(type), "NSObject"], fields)
      // Whatever comes of it, it is a description or an error.
      do {
        let object = try NSKeyedUnarchiver.unarchivedObject(ofClasses: [type], from: writer.serialized(root: root))
        #expect(object == nil || Swift.type(of: object ?? 0) == type)
      } catch {
        #expect((error as NSError).domain == NSCocoaErrorDomain)
      }
    }
    var writer = KeyedArchiveWriter()
    let root = writer.add([NSStringFromClass(NSManagedObjectModel.self)], ["OCDModel": writer.add(.data(Data([1])))])
    let error = #expect(throws: CocoaError.self) {
      try NSKeyedUnarchiver.unarchivedObject(ofClass: NSManagedObjectModel.self, from: writer.serialized(root: root))
    }
    #expect(error?.code == .coderReadCorrupt)
  }
}

import Foundation
import Testing

import class OpenCocoaFoundation.NSExpression

@_spi(Store) @testable import OpenCoreData

/// Hashes that Apple's framework wrote into public stores, for entities built here.
@Suite struct VersionHashTests {
  private let keeper = Keeper()

  /// Holds the entities and relationships that others refer to without retaining.
  private final class Keeper {
    var kept: [AnyObject] = []
  }

  private func attribute(
    _ name: String, _ type: NSAttributeType, optional: Bool = false, preserved: Bool = false
  ) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    attribute.name = name
    attribute.attributeType = type
    attribute.isOptional = optional
    attribute.preservesValueInHistoryOnDeletion = preserved
    return attribute
  }

  private func relationship(
    _ name: String, _ destination: String, _ inverse: String?, optional: Bool = false, min: Int = 0, max: Int = 0
  ) -> NSRelationshipDescription {
    let relationship = NSRelationshipDescription()
    relationship.name = name
    relationship.isOptional = optional
    relationship.minCount = min
    relationship.maxCount = max
    let entity = NSEntityDescription()
    entity.name = destination
    relationship.destinationEntity = entity
    keeper.kept.append(entity)
    if let inverse {
      let back = NSRelationshipDescription()
      back.name = inverse
      relationship.inverseRelationship = back
      keeper.kept.append(back)
    }
    return relationship
  }

  private func composite(_ name: String, _ elements: [(String, NSAttributeType)]) -> NSCompositeAttributeDescription {
    let composite = NSCompositeAttributeDescription()
    composite.name = name
    composite.elements = elements.map { attribute($0.0, $0.1, optional: true) }
    return composite
  }

  private func entity(
    _ name: String, _ properties: [NSPropertyDescription], unique: [[String]] = [], abstract: Bool = false
  ) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    entity.isAbstract = abstract
    entity.properties = properties
    entity.uniquenessConstraints = unique
    return entity
  }

  private func hex(_ data: Data) -> String { data.map { String(format: "%02x", $0) }.joined() }

  @Test func plainEntities() {
    let person = entity("Person", [attribute("name", .stringAttributeType, optional: true)])
    #expect(hex(person.versionHash) == "3daeb0aa50910d2e7ccd6295cc5f6878de4736fefa41c23432dcabaff572b863")
    let writer = entity("Writer", [attribute("age", .integer16AttributeType)], abstract: true)
    #expect(hex(writer.versionHash) == "d54efab5d39cb3f59df8018db5e4cb2912ced49ca0fdebb029a326cd70847b25")
    let pet = entity(
      "Pet",
      [
        attribute("name", .stringAttributeType), relationship("owner", "User", "pet", optional: true, max: 1),
      ])
    #expect(hex(pet.versionHash) == "767342262a6458730c78aae73c5328d0fcaa4e3596d2f87f22e366eb46a9f46f")
  }

  @Test func modelDigestAndChecksum() {
    let user = entity(
      "User",
      [attribute("name", .stringAttributeType), attribute("petName", .stringAttributeType, optional: true)])
    let model = NSManagedObjectModel()
    model.entities = [user]
    for _ in 0..<2 {
      #expect(hex(user.versionHash) == "6b31f4e97b691d16c4c820bae55f89408d47013bd42151ecfde1eac7fe4be798")
      #expect(model.versionChecksum == "u970QgYhRHEJGIt0zQr1UhuZL2ZJ1KxBS+B7rkAx0ik=")
      #expect(
        model.versionHashesDigest
          == "0KLB/FnL8roMcgeszeCxnPnvYqnn4VzB2DpFP6csqrDKzLB6fyG5rrVfjY5DtnQxx4355oWuKFublPf2Jo1UWg==")
      #expect(
        model.isConfiguration(
          withName: nil, compatibleWithStoreMetadata: ["NSStoreModelVersionHashes": ["User": user.versionHash]]))
      model.freeze()
    }
    #expect(
      !model.isConfiguration(
        withName: nil, compatibleWithStoreMetadata: ["NSStoreModelVersionHashes": ["User": Data()]]))
  }

  @Test func derivedAttributeAndUniqueConstraint() {
    let count = NSDerivedAttributeDescription()
    count.name = "pagesCount"
    count.derivationExpression = NSExpression(format: "count:(pages)")
    let book = entity(
      "Book",
      [
        relationship("author", "Author", "books", min: 1, max: 1), attribute("frontCover", .transformableAttributeType),
        relationship("pages", "Page", "book", min: 1, max: 10000), count, attribute("price", .decimalAttributeType),
        attribute("publishedAt", .dateAttributeType), attribute("title", .stringAttributeType),
        attribute("uniqueID", .UUIDAttributeType),
      ], unique: [["uniqueID"]])
    #expect(hex(book.versionHash) == "33ac3733a780db28955479ba9f9989cd9acd0ee1dade9b545e4b746751730100")
  }

  @Test func compositeAttributes() {
    let tags = ["flavors", "profiles", "styles", "booze", "nA"].map { ($0, NSAttributeType.binaryDataAttributeType) }
    let base = entity(
      "IngredientBase",
      [
        composite("category", [("category", .stringAttributeType)]),
        attribute("info", .stringAttributeType, optional: true), attribute("isCustom", .booleanAttributeType),
        attribute("name", .stringAttributeType), composite("tags", tags),
        composite(
          "prep",
          [
            ("id", .UUIDAttributeType), ("prepIngredientName", .stringAttributeType),
            ("prepRecipe", .binaryDataAttributeType),
          ]),
      ], unique: [["name"]])
    #expect(hex(base.versionHash) == "b7204663387a5680bdfd9bed01991300dbeccf23d6a9eba4f9902b6341dfac0e")
  }

  @Test func modifierAndPreservedValues() {
    let change = entity(
      "AdditionChangeSet",
      [
        attribute("changeSet", .binaryDataAttributeType, optional: true),
        attribute("ckForeignKey", .stringAttributeType, optional: true, preserved: true),
        attribute("ckRecordID", .stringAttributeType, optional: true, preserved: true),
        attribute("ckRecordSystemFields", .binaryDataAttributeType, optional: true, preserved: true),
        attribute("deviceIdentifier", .stringAttributeType), attribute("endDate", .dateAttributeType),
        attribute("sequenceNumber", .integer64AttributeType), attribute("startDate", .dateAttributeType),
        attribute("version", .integer16AttributeType),
      ])
    change.versionHashModifier = "rdar://41988633"
    #expect(hex(change.versionHash) == "010d21e0f4eb125653a79fa8aa465d6daa262af49f991a2516797b989b818063")
  }

  @Test func severalConstraints() {
    let types: [String: NSAttributeType] = [
      "address": .stringAttributeType, "addressType": .integer16AttributeType, "addressHash": .binaryDataAttributeType,
      "publicKey": .binaryDataAttributeType, "accountIndex": .integer32AttributeType,
      "addressIndex": .integer32AttributeType, "derivationPath": .stringAttributeType,
      "isUsed": .booleanAttributeType, "balance": .integer64AttributeType, "nonce": .integer32AttributeType,
      "firstSeenHeight": .integer32AttributeType, "lastSeenHeight": .integer64AttributeType,
      "walletId": .binaryDataAttributeType, "createdAt": .dateAttributeType, "lastUpdated": .dateAttributeType,
    ]
    let account = relationship("account", "PersistentAccount", "platformAddresses", optional: true, max: 1)
    let address = entity(
      "PersistentPlatformAddress", types.map { attribute($0.key, $0.value) } + [account],
      unique: [["addressHash"], ["address"]])
    #expect(hex(address.versionHash) == "0cae31a85f8e343c9fe45a8bb44a14958f688456ad6a5c9e39a1331c46e16039")
  }

  @Test func transientPropertiesDoNotCount() {
    let name = attribute("name", .stringAttributeType, optional: true)
    let person = entity("Person", [name])
    let before = person.versionHash
    let mood = attribute("mood", .stringAttributeType)
    mood.isTransient = true
    person.properties += [mood]
    #expect(person.versionHash == before)
    person.managedObjectClassName = "Human"
    name.defaultValue = "Ada"
    #expect(person.versionHash == before)
  }
}

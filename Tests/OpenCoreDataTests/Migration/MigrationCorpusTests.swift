import CoreData
import Foundation
import Testing

import class OpenCocoaFoundation.NSExpression

@_spi(Store) @testable import OpenCoreData

/// Models and mapping models of applications: neighbouring versions are inferred, mapping models are read.
@Suite(.enabled(if: Corpus.isThere, "the corpus is not there"))
struct MigrationCorpusTests {
  @Test func everyMappingModelIsRead() throws {
    var compiled: [URL: NSMappingModel] = [:]
    var count = 0
    for url in Corpus.files(".cdm") + Corpus.files(".xcmappingmodel") {
      let model: NSMappingModel
      do {
        model = try NSMappingModel(validatingContentsOf: url)
      } catch let error as NSError where url.path.contains("/coredataplus/") && error.code == 134020 {
        // The models beside it are older than the mapping model, which was compiled for models made in code.
        print("mapping model \(url.lastPathComponent): \(error.localizedFailureReason ?? "")")
        continue
      }
      count += 1
      #expect(!model.entityMappings.isEmpty)
      for mapping in model.entityMappings {
        #expect(mapping.mappingType != .undefinedEntityMappingType)
        #expect((mapping.sourceEntityName == nil) == (mapping.sourceEntityVersionHash == nil))
        #expect((mapping.sourceEntityName == nil) == (mapping.sourceExpression == nil))
        #expect((mapping.destinationEntityName == nil) == (mapping.destinationEntityVersionHash == nil))
      }
      // What is archived is read again.
      let again = try MappingDecoder.decode(MappingEncoder.encode(model))
      #expect(MigrationFixture.text(again) == MigrationFixture.text(model.entityMappings))
      if url.pathExtension == "cdm" { compiled[url] = model }
      print("mapping model \(url.lastPathComponent): \(model.entityMappings.map { $0.name ?? "" })")
    }
    print("\(count) mapping models were read")
    #expect(count >= 4)
  }

  @Test func xcodesMappingModelBecomesTheCompiledOne() throws {
    let compiledURL = try #require(Corpus.files("V2toV3.cdm", below: "stores/coredataplus").first)
    let compiled = try #require(NSMappingModel(contentsOf: compiledURL))
    let url = try #require(Corpus.files("V2toV3.xcmappingmodel", below: "stores/coredataplus").first)
    guard case .source(let mapping) = try MappingFile.read(url) else {
      Issue.record("It is no source file.")
      return
    }
    // The models as far as the compiled mapping model shows them.
    let (source, destination) = (try model(compiled, isSource: true), try model(compiled, isSource: false))
    let made = try mapping.entityMappings(from: source, to: destination)
    #expect(MigrationFixture.text(made) == MigrationFixture.text(compiled.entityMappings))
    #expect(made.map(\.sourceExpression) == compiled.entityMappings.map(\.sourceExpression))
  }

  /// The entities, with the properties that expressions take, or that are mapped.
  private func model(_ mapping: NSMappingModel, isSource: Bool) throws -> NSManagedObjectModel {
    var entities: [String: NSEntityDescription] = [:]
    for mapping in mapping.entityMappings {
      guard let name = isSource ? mapping.sourceEntityName : mapping.destinationEntityName else { continue }
      let attributes = (mapping.attributeMappings ?? []).filter { !isSource || $0.valueExpression != nil }
        .map { TestModel.attribute($0.name ?? "", .stringAttributeType) }
      let relationships = (mapping.relationshipMappings ?? []).compactMap { property -> NSPropertyDescription? in
        guard let name = property.name, !isSource || (name != "createdBy" && !name.hasPrefix("previous")) else {
          return nil
        }
        let relationship = NSRelationshipDescription()
        relationship.name = name
        return relationship
      }
      entities[name] = TestModel.entity(name, attributes + relationships)
    }
    let car = try #require(entities["Car"])
    for name in ["LuxuryCar", "SportCar"] {
      entities[name]?.properties.removeAll { car.propertiesByName[$0.name] != nil }
      car.subentities.append(try #require(entities[name]))
    }
    for relationship in entities.values.flatMap(\.declaredProperties).compactMap({ $0 as? NSRelationshipDescription }) {
      relationship.destinationEntity = entities[relationship.name.lowercased().hasSuffix("cars") ? "Car" : "Person"]
      if relationship.name == "createdBy" { relationship.destinationEntity = entities["Maker"] }
    }
    let model = NSManagedObjectModel()
    model.entities = Array(entities.values)
    return model
  }

  // MARK: Neighbouring versions

  @Test func neighbouringVersionsAreInferred() throws {
    var (related, equal, inferred, refused) = (0, 0, 0, 0)
    var reasons: [String] = []
    for pair in try CorpusVersions.pairs() {
      let migration = InferredMigration(from: pair.before, to: pair.after)
      // A repository may have several models.
      guard migration.entities.contains(where: { $0.source != nil && $0.destination != nil }) else { continue }
      related += 1
      if pair.before.entityVersionHashesByName == pair.after.entityVersionHashesByName { equal += 1 }
      do {
        let model = try NSMappingModel.inferredMappingModel(
          forSourceModel: pair.before, destinationModel: pair.after)
        inferred += 1
        #expect(migration.obstacles.isEmpty, "\(pair.name)")
        #expect(MappingFit.problem(model.entityMappings, pair.before, pair.after) == nil, "\(pair.name)")
        if inferred.isMultiple(of: 8) {
          let again = try MappingDecoder.decode(MappingEncoder.encode(model))
          #expect(MigrationFixture.text(again) == MigrationFixture.text(model.entityMappings), "\(pair.name)")
        }
        check(migration, pair.name)
      } catch let error as NSError {
        refused += 1
        #expect(error.code == 134190, "\(pair.name)")
        for obstacle in migration.obstacles {
          reasons.append("\(pair.name): \(obstacle.text)")
          #expect(pair.after.entitiesByName[obstacle.entity] != nil, "\(pair.name): \(obstacle.text)")
          let entity = pair.after.entitiesByName[obstacle.entity]
          #expect(obstacle.property.map { entity?.propertiesByName[$0] != nil } ?? true, "\(obstacle.text)")
          #expect(
            obstacle.text.hasPrefix([obstacle.entity, obstacle.property].compactMap { $0 }.joined(separator: ".")))
        }
        #expect(error.localizedDescription.contains(migration.obstacles.first?.text ?? "?"), "\(pair.name)")
      }
    }
    reasons.forEach { print("not inferred, \($0)") }
    print("\(related) pairs of versions: \(inferred) inferred (\(equal) of equal hashes), \(refused) not")
    #expect(related > 50 && inferred > refused)
  }

  /// Everything that stores keep of either version is taken over, added or removed, once.
  private func check(_ migration: InferredMigration, _ name: String) {
    for entity in migration.entities {
      func stored(_ entity: NSEntityDescription?) -> [String] {
        (entity?.propertiesByName.values.filter { !$0.isTransient && !($0 is NSFetchedPropertyDescription) }.map(\.name)
          ?? []).sorted()
      }
      let after = entity.attributes.map(\.destination.name) + entity.relationships.map(\.destination.name)
      #expect(after.sorted() == stored(entity.destination), "\(name) \(entity.name)")
      let before =
        entity.attributes.compactMap(\.source?.name) + entity.relationships.compactMap(\.source?.name)
        + entity.removedProperties.map(\.name)
      #expect(before.sorted() == stored(entity.source), "\(name) \(entity.name)")
      if entity.kind == .copied {
        let isSame =
          entity.attributes.allSatisfy(\.changes.isEmpty)
          && entity.relationships.allSatisfy {
            $0.changes.isDisjoint(with: [.added, .renamed, .toOne, .toMany, .order])
          }
        #expect(isSame && entity.removedProperties.isEmpty, "\(name) \(entity.name)")
      }
    }
  }
}

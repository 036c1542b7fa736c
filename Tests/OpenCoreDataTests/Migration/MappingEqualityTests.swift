import CoreData
import Foundation
import Testing

import class OpenCocoaFoundation.NSExpression

@_spi(Store) @testable import OpenCoreData

/// Mapping models, entity mappings and property mappings compare their contents.
@Suite struct MappingEqualityTests {
  private func inferred() throws -> NSMappingModel {
    try NSMappingModel.inferredMappingModel(
      forSourceModel: MigrationFixture.notes(1), destinationModel: MigrationFixture.notes(1))
  }

  @Test func modelsOfTheSameContentAreEqual() throws {
    let (first, second) = (try inferred(), try inferred())
    #expect(first !== second && first == second && first.hash == second.hash)
    #expect(zip(first.entityMappings, second.entityMappings).allSatisfy { $0 !== $1 && $0 == $1 && $0.hash == $1.hash })
    #expect(NSMappingModel() == NSMappingModel() && first != NSMappingModel() && !first.isEqual("a"))
    second.entityMappings.reverse()
    #expect(first != second)
  }

  /// Whatever a mapping says makes a difference.
  @Test func eachPartMakesADifference() throws {
    let name = try #require(try inferred().entityMappings.first { $0.attributeMappings?.isEmpty == false }?.name)
    let changes: [(String, (NSEntityMapping) throws -> Void)] = [
      ("name", { $0.name = "other" }), ("type", { $0.mappingType = .customEntityMappingType }),
      ("source", { $0.sourceEntityName = "Other" }), ("destination", { $0.destinationEntityName = "Other" }),
      ("source hash", { $0.sourceEntityVersionHash = nil }),
      ("destination hash", { $0.destinationEntityVersionHash = Data([1]) }),
      ("attributes", { $0.attributeMappings?.removeLast() }),
      ("attribute's name", { $0.attributeMappings?[0].name = "other" }),
      ("attribute's expression", { $0.attributeMappings?[0].valueExpression = try NSExpression(parsing: "1 + 1") }),
      ("attribute's user info", { $0.attributeMappings?[0].userInfo = ["a": 1] }),
      ("relationships", { $0.relationshipMappings = [NSPropertyMapping()] }),
      ("source expression", { $0.sourceExpression = nil }),
      ("policy", { $0.entityMigrationPolicyClassName = "Policy" }), ("user info", { $0.userInfo = ["a": 1] }),
    ]
    for (part, change) in changes {
      let (first, second) = (try inferred(), try inferred())
      let mapping = try #require(second.entityMappings.first { $0.name == name })
      try change(mapping)
      #expect(first != second, "\(part)")
      let original = try #require(first.entityMappings.first { $0.name == name })
      #expect(original != mapping, "\(part)")
    }
  }

  @Test func noListIsAnEmptyList() throws {
    let (mapping, other) = (NSEntityMapping(), NSEntityMapping())
    (mapping.sourceEntityName, other.sourceEntityName) = ("A", "A")
    #expect(mapping == other)
    // No list of mappings says the same as an empty one.
    other.attributeMappings = []
    #expect(mapping == other && Set([mapping, other]).count == 1)
  }
}

import CoreData
import Foundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// Each rule of lightweight migration: what is taken over, how, and what is refused.
@Suite struct InferenceRuleTests {
  private func migration(_ before: String, _ after: String) throws -> InferredMigration {
    InferredMigration(from: try MigrationFixture.model(before), to: try MigrationFixture.model(after))
  }

  private func entity(_ name: String, of migration: InferredMigration) throws -> EntityMigration {
    try #require(migration.entities.first { $0.name == name })
  }

  /// The changes of the attribute or relationship `x` of the entity A.
  private func attribute(_ before: String, _ after: String) throws -> AttributeMigration {
    let migration = try migration("<entity name='A'>\(before)</entity>", "<entity name='A'>\(after)</entity>")
    #expect(migration.obstacles.isEmpty, "\(migration.obstacles.map(\.text))")
    return try #require(entity("A", of: migration).attributes.first { $0.destination.name == "x" })
  }

  private func text(_ rest: String = "optional='YES'", _ name: String = "x") -> String {
    "<attribute name='\(name)' attributeType='String' \(rest)/>"
  }

  @Test func unchangedEntitiesAreCopied() throws {
    let model = "<entity name='A'>\(text())</entity>"
    let result = try entity("A", of: migration(model, model))
    #expect(result.kind == .copied && result.attributes[0].changes.isEmpty)
    #expect(try entity("A", of: migration(model, model.replacing("'x'", with: "'y'"))).kind == .transformed)
  }

  @Test func attributesAreAddedRemovedAndRenamed() throws {
    let added = try attribute("", text())
    #expect(added.changes == .added && added.fill == nil && added.source == nil)
    #expect(try attribute("", text("defaultValueString='-'")).fill as? String == "-")
    #expect(try attribute("", text("optional='YES' defaultValueString='-'")).fill as? String == "-")
    #expect(try attribute(text("optional='YES'", "y"), text("optional='YES' elementID='y'")).changes == .renamed)
    // What was transient was in no store.
    #expect(try attribute(text("optional='YES' transient='YES'"), text()).changes == .added)
    let removed = try migration("<entity name='A'>\(text())\(text("", "y"))</entity>", "<entity name='A'/>")
    #expect(try entity("A", of: removed).removedProperties.map(\.name) == ["x", "y"])
    #expect(removed.obstacles.isEmpty)
    let transient = "<entity name='A'>\(text("transient='YES' optional='YES'"))</entity>"
    let hidden = try entity("A", of: migration("<entity name='A'>\(text())</entity>", transient))
    #expect(hidden.removedProperties.map(\.name) == ["x"] && hidden.attributes.isEmpty)
  }

  @Test func optionalAttributesBecomeMandatoryWithADefault() throws {
    #expect(try attribute(text(""), text()).changes.isEmpty)
    let mandatory = try attribute(text(), text("defaultValueString='-'"))
    #expect(mandatory.changes == .mandatory && mandatory.fill as? String == "-")
  }

  @Test(arguments: ["Boolean", "Decimal", "Double", "Float", "Integer 16", "Integer 32", "Integer 64"])
  func numbersConvert(type: String) throws {
    func number(_ type: String) -> String { "<attribute name='x' attributeType='\(type)' optional='YES'/>" }
    for other in ["Boolean", "Decimal", "Double", "Float", "Integer 16", "Integer 32", "Integer 64"] {
      #expect(try attribute(number(type), number(other)).changes == (type == other ? [] : .converted))
    }
    for other in ["String", "Date", "Binary", "UUID", "URI", "Transformable"] {
      for (before, after) in [(type, other), (other, type), (other, other == "Date" ? "String" : "Date")] {
        let found = try migration(
          "<entity name='A'>\(number(before))</entity>", "<entity name='A'>\(number(after))</entity>"
        ).obstacles
        #expect(found.map(\.kind) == [.noInferredMapping], "\(before) to \(after)")
        #expect(found.first?.text.contains("it was \(before) and is \(after)") == true)
      }
    }
  }

  @Test func storageAndDerivation() throws {
    func data(_ rest: String) -> String { "<attribute name='x' attributeType='Binary' optional='YES' \(rest)/>" }
    #expect(
      try attribute(data(""), data("allowsExternalBinaryDataStorage='YES'")).changes == .externalStorage)
    func derived(_ expression: String) -> String {
      text("optional='YES'", "t") + text("optional='YES' derived='YES' derivationExpression='\(expression)'")
    }
    #expect(try attribute(text("optional='YES'", "t"), derived("canonical:(t)")).changes == [.added, .derivation])
    #expect(try attribute(derived("canonical:(t)"), derived("uppercase:(t)")).changes == .derivation)
    #expect(try attribute(derived("canonical:(t)"), derived("canonical:(t)")).changes.isEmpty)
  }

  @Test func elementsOfComposites() throws {
    func model(_ elements: [(String, NSAttributeType)]) -> NSManagedObjectModel {
      let composite = NSCompositeAttributeDescription()
      composite.name = "place"
      composite.elements = elements.map { TestModel.attribute($0.0, $0.1) }
      let model = NSManagedObjectModel()
      model.entities = [TestModel.entity("A", [composite])]
      return model
    }
    func result(_ before: [(String, NSAttributeType)], _ after: [(String, NSAttributeType)]) -> InferredMigration {
      InferredMigration(from: model(before), to: model(after))
    }
    let start: [(String, NSAttributeType)] = [("x", .floatAttributeType), ("y", .floatAttributeType)]
    let changed = result(start, [("x", .doubleAttributeType), ("z", .stringAttributeType)])
    #expect(changed.obstacles.isEmpty)
    #expect(changed.entities[0].attributes[0].changes == .elements)
    #expect(changed.entities[0].attributes[0].elements.map(\.changes) == [.converted, .added])
    #expect(result(start, start).entities[0].attributes[0].changes.isEmpty)
    let refused = result(start, [("x", .stringAttributeType), ("y", .floatAttributeType)]).obstacles
    #expect(
      refused.map(\.text) == [
        "A.place: in its element x, it was Float and is String, and Float does not turn into String"
      ])
  }

  // MARK: Values

  @Test func valuesOfNumbers() throws {
    func value(_ before: String, _ after: String, _ value: Any?) throws -> Any? {
      func number(_ type: String) -> String { "<attribute name='x' attributeType='\(type)' optional='YES'/>" }
      return try attribute(number(before), number(after)).value(of: value)
    }
    #expect(try value("Double", "Integer 16", -1.9) as? Int == -1)
    #expect(try value("Integer 64", "Integer 32", Int64(1 << 31) - 1) as? Int == (1 << 31) - 1)
    #expect(try value("Integer 64", "Double", 3) as? Double == 3)
    #expect(try value("Integer 16", "Boolean", 2) as? Bool == true)
    #expect(try value("Double", "Boolean", 0.5) as? Bool == true)
    #expect(try value("Boolean", "Integer 16", true) as? Int == 1)
    #expect(try value("Double", "Decimal", 0.1) as? NSDecimalNumber == NSDecimalNumber(string: "0.1"))
    #expect(try value("Decimal", "Double", NSDecimalNumber(string: "2.5")) as? Double == 2.5)
    #expect(try value("Double", "Float", 0.1) as? Float == 0.1)
    #expect(try value("Integer 16", "Integer 16", 5) as? Int == 5)
    #expect(try value("Double", "Integer 16", nil) == nil)
    for (after, number) in [("Integer 16", 32768.0), ("Integer 32", -3e9), ("Integer 64", 1e19), ("Integer 64", .nan)] {
      let error = try #require(throws: NSError.self) { try value("Double", after, number) }
      #expect(
        error.code == 134110 && error.localizedDescription.contains("A.x") && error.localizedDescription.contains(after)
      )
    }
  }

  @Test func valuesOfOtherAttributes() throws {
    #expect(try attribute("", text("defaultValueString='-'")).value(of: nil) as? String == "-")
    #expect(try attribute(text(), text("defaultValueString='-'")).value(of: NSNull()) as? String == "-")
    #expect(try attribute(text(), text("defaultValueString='-'")).value(of: "+") as? String == "+")
    #expect(
      try attribute(text(), text("optional='YES' derived='YES' derivationExpression='now()'")).value(of: "+") == nil)
  }

  @Test func valuesOfCompositesHaveTheirNewNames() throws {
    func composite(_ elements: [NSAttributeDescription]) -> NSManagedObjectModel {
      let composite = NSCompositeAttributeDescription()
      composite.name = "place"
      composite.elements = elements
      let model = NSManagedObjectModel()
      model.entities = [TestModel.entity("A", [composite])]
      return model
    }
    let renamed = TestModel.attribute("latitude", .doubleAttributeType)
    renamed.renamingIdentifier = "x"
    let before = composite([
      TestModel.attribute("x", .integer16AttributeType), TestModel.attribute("y", .stringAttributeType),
    ])
    let after = composite([renamed, TestModel.attribute("z", .stringAttributeType)])
    let value: [String: Any] = ["x": 3, "y": "gone"]
    let attribute = InferredMigration(from: before, to: after).entities[0].attributes[0]
    #expect(try attribute.value(of: value) as? [String: Double] == ["latitude": 3])
    let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: before, destinationModel: after)
    let expression = try #require(mapping.entityMappings.first?.attributeMappings?.first?.valueExpression)
    let source: NSMutableDictionary = [NSMigrationSourceObjectKey: ["place": value]]
    #expect(expression.expressionValue(with: nil, context: source) as? [String: Double] == ["latitude": 3])
  }

  // MARK: Relationships

  private func relationships(_ before: String, _ after: String) throws -> [RelationshipMigration.Changes] {
    func model(_ rest: String) -> String {
      "<entity name='A'/><entity name='B' parentEntity='A'/><entity name='C'>"
        + (rest.isEmpty ? "" : "<relationship name='r' \(rest)/>") + "</entity>"
    }
    let migration = try migration(model(before), model(after))
    #expect(migration.obstacles.isEmpty, "\(migration.obstacles.map(\.text))")
    return try entity("C", of: migration).relationships.map(\.changes)
  }

  @Test func relationshipsChange() throws {
    let one = "optional='YES' maxCount='1' destinationEntity='B'"
    let many = "optional='YES' toMany='YES' destinationEntity='B'"
    #expect(try relationships("", one) == [.added])
    #expect(try relationships(one, "") == [])
    #expect(try relationships(one, one) == [[]])
    #expect(try relationships(one, many) == [.toMany])
    #expect(try relationships(many, one) == [.toOne])
    #expect(try relationships(many, many + " ordered='YES'") == [.order])
    #expect(try relationships(one, one.replacing("'B'", with: "'A'")) == [.destination])
    #expect(try relationships(one.replacing("optional='YES'", with: ""), one) == [[]])
  }

  @Test func severalMembersOfWhatLeadsToOneAreACondition() throws {
    let many = "<relationship name='r' optional='YES' toMany='YES' destinationEntity='A'/>"
    let one = "<relationship name='r' optional='YES' maxCount='1' destinationEntity='A'/>"
    let result = try migration("<entity name='A'>\(many)</entity>", "<entity name='A'>\(one)</entity>")
    #expect(result.conditions.map(\.kind) == [.severalMembers])
    #expect(result.conditions.map(\.kind.code) == [134110])
    #expect(result.conditions.first?.property == "r")
    // A member of a relationship without inverse has one owner.
    let back = try migration("<entity name='A'>\(one)</entity>", "<entity name='A'>\(many)</entity>")
    #expect(back.conditions.map(\.kind) == [.severalMembers])
    #expect(try migration("<entity name='A'>\(many)</entity>", "<entity name='A'>\(many)</entity>").conditions.isEmpty)
  }

  @Test func inverses() throws {
    func model(_ pairs: [(String, String)]) -> String {
      func relationship(_ name: String, _ entity: String, _ inverse: String) -> String {
        "<relationship name='\(name)' optional='YES' maxCount='1' destinationEntity='\(entity)' inverseName='\(inverse)' "
          + "inverseEntity='\(entity)'/>"
      }
      return "<entity name='A'>" + pairs.map { relationship($0.0, "B", $0.1) }.joined() + "</entity><entity name='B'>"
        + pairs.map { relationship($0.1, "A", $0.0) }.joined() + "</entity>"
    }
    let added = try migration("<entity name='A'/><entity name='B'/>", model([("a", "b")]))
    #expect(added.obstacles.isEmpty)
    // A new inverse, and two that led to different objects.
    let other = try migration(model([("a", "b")]), model([("a", "c")]))
    #expect(other.obstacles.isEmpty)
    #expect(try entity("A", of: other).relationships.map(\.changes) == [.inverse])
    let crossed = try migration(model([("a", "b"), ("c", "d")]), model([("a", "d"), ("c", "b")]))
    #expect(Set(crossed.obstacles.map(\.property)) == ["a", "b", "c", "d"])
    #expect(crossed.obstacles.allSatisfy { $0.kind == .noInferredMapping })
  }

  @Test func whatRelationshipsCannotBecome() throws {
    func codes(_ before: String, _ after: String) throws -> [String] {
      func model(_ relationship: String) -> String {
        "<entity name='A'/><entity name='B' parentEntity='A'/><entity name='C'>\(relationship)</entity>"
      }
      return try migration(model(before), model(after)).obstacles.map { "\($0.text) \($0.kind.code)" }
    }
    let one = "<relationship name='r' optional='YES' maxCount='1' destinationEntity='A'/>"
    #expect(try codes(one, one.replacing("'A'", with: "'B'")) == ["C.r: it led to A and leads to B 134190"])
    #expect(
      try codes(one, "<attribute name='r' optional='YES' attributeType='String'/>") == [
        "C.r: it was a relationship and is an attribute 134190"
      ])
    #expect(
      try codes("<attribute name='r' optional='YES' attributeType='String'/>", one) == [
        "C.r: it was an attribute and is a relationship 134190"
      ])
    let mandatory = one.replacing("optional='YES'", with: "")
    #expect(try codes("", mandatory) == ["C.r: it is new and not optional, and no object has it 134110"])
    #expect(try codes(one, mandatory) == ["C.r: it is no longer optional, and objects may lack it 134110"])
  }

  // MARK: Entities

  @Test func entitiesAreAddedRemovedRenamedAndSplit() throws {
    let result = try migration(
      "<entity name='A'>\(text())</entity><entity name='B'/>",
      "<entity name='A2' elementID='A'>\(text())</entity><entity name='A3' elementID='A'>\(text())</entity>"
        + "<entity name='New'>\(text(""))</entity>")
    // Of two that claim to be the same, one is; a new entity has no rows that lack anything.
    #expect(result.obstacles.isEmpty)
    let kinds = result.entities.map { "\($0.source?.name ?? "-")>\($0.destination?.name ?? "-") \($0.kind)" }
    #expect(kinds.count == 4 && kinds.contains("->New added") && kinds.last == "B>- removed")
    #expect(kinds.filter { $0.hasPrefix("A>") && $0.hasSuffix("transformed") }.count == 1)
  }

  @Test func propertiesMoveInAHierarchy() throws {
    let below = "<entity name='P' isAbstract='YES'/><entity name='A' parentEntity='P'>\(text(""))</entity>"
    let above = "<entity name='P' isAbstract='YES'>\(text(""))</entity><entity name='A' parentEntity='P'/>"
    for (before, after) in [(below, above), (above, below)] {
      let result = try migration(before, after)
      #expect(result.obstacles.isEmpty)
      let entity = try entity("A", of: result)
      #expect(entity.attributes.map(\.changes) == [.moved])
      #expect(!entity.hasOtherParent && !entity.hasOtherRoot && entity.kind == .transformed)
    }
    // A concrete superentity has rows that lack it.
    let concrete = try migration(
      below.replacing(" isAbstract='YES'", with: ""), above.replacing(" isAbstract='YES'", with: ""))
    #expect(concrete.obstacles.map(\.text) == ["P.x: it is new, not optional, and has no default value"])
  }

  @Test func hierarchiesChange() throws {
    let single = "<entity name='A'/><entity name='B'/>"
    let parent = "<entity name='P'/><entity name='A' parentEntity='P'/><entity name='B'/>"
    let entering = try migration(single, parent)
    #expect(entering.obstacles.isEmpty)
    #expect(try entity("A", of: entering).hasOtherRoot && entity("A", of: entering).hasOtherParent)
    #expect(try !entity("B", of: entering).hasOtherRoot)
    let split = try migration(parent, single)
    #expect(split.obstacles.isEmpty)
    #expect(try entity("A", of: split).hasOtherRoot)
    #expect(try entity("P", of: split).kind == .removed)
    let middle = try migration(
      "<entity name='P'/><entity name='A' parentEntity='P'/>",
      "<entity name='P'/><entity name='M' parentEntity='P'/><entity name='A' parentEntity='M'/>")
    #expect(middle.obstacles.isEmpty)
    #expect(try entity("A", of: middle).hasOtherParent && !entity("A", of: middle).hasOtherRoot)
    let merged = try migration(
      single, "<entity name='P'/><entity name='A' parentEntity='P'/><entity name='B' parentEntity='P'/>")
    #expect(
      merged.obstacles.map(\.text) == [
        "P: it puts together hierarchies that had no common superentity: A, B"
      ])
  }

  @Test func abstractEntities() throws {
    // What is abstract has no rows that lack anything.
    let new = try migration(
      "<entity name='A' isAbstract='YES'/>", "<entity name='A'>\(text(""))</entity>")
    #expect(new.obstacles.isEmpty && new.conditions.isEmpty)
    let abstract = try migration("<entity name='A'/>", "<entity name='A' isAbstract='YES'/>")
    #expect(abstract.conditions.map(\.kind) == [.abstractEntity])
    #expect(abstract.conditions.first?.entity == "A")
  }

  @Test func newConstraintsAreConditions() throws {
    func unique(_ name: String) -> String {
      "<uniquenessConstraints><uniquenessConstraint><constraint value='\(name)'/></uniquenessConstraint></uniquenessConstraints>"
    }
    func conditions(_ before: String, _ after: String) throws -> [String] {
      let result = try migration(before, after)
      #expect(result.obstacles.isEmpty && result.conditions.allSatisfy { $0.kind.code == 134111 })
      return result.conditions.map(\.text)
    }
    let (plain, constrained) = (
      "<entity name='A'>\(text())</entity>", "<entity name='A'>\(text())\(unique("x"))</entity>"
    )
    let reason = "no two objects may be equal in x, which the source does not demand"
    #expect(try conditions(plain, constrained) == ["A: " + reason])
    #expect(try conditions(constrained, plain) == [])
    #expect(try conditions(constrained, constrained) == [])
    let renamed = "<entity name='B' elementID='A'>\(text("optional='YES' elementID='x'", "y"))\(unique("y"))</entity>"
    #expect(try conditions(constrained, renamed) == [])
    // One that moves up holds for more objects; one that moves down for fewer.
    let low = "<entity name='P'>\(text())</entity><entity name='A' parentEntity='P'>\(unique("x"))</entity>"
    let high = "<entity name='P'>\(text())\(unique("x"))</entity><entity name='A' parentEntity='P'/>"
    #expect(try conditions(low, high) == ["P: " + reason])
    #expect(try conditions(high, low) == [])
    // So does one of a superentity that is new.
    #expect(
      try conditions("<entity name='P'>\(text())\(unique("x"))</entity><entity name='A'/>", high) == ["P: " + reason])
  }

  @Test func renamingIdentifiersAcrossVersions() throws {
    func model(_ text: String) -> String {
      "<entity name='A'><attribute name='\(text)' attributeType='String' optional='YES'/></entity>"
    }
    let (first, second, third) = (model("color"), model("paint' elementID='color"), model("primary' elementID='color"))
    for (before, after) in [(first, second), (second, third), (first, third)] {
      #expect(try entity("A", of: migration(before, after)).attributes.map(\.changes) == [.renamed])
    }
    // An identifier that the source's own identifier does not match.
    let lost = try entity("A", of: migration(second, model("primary' elementID='paint")))
    #expect(lost.attributes.map(\.changes) == [.added] && lost.removedProperties.map(\.name) == ["paint"])
  }

  // MARK: Errors

  @Test func errorsOfInference() throws {
    let before = "<entity name='A'>\(text())\(text("", "y"))</entity>"
    let after = "<entity name='A'><attribute name='x' attributeType='Date' optional='YES'/>\(text("", "z"))</entity>"
    let error = try #require(throws: NSError.self) {
      try NSMappingModel.inferredMappingModel(
        forSourceModel: MigrationFixture.model(before), destinationModel: MigrationFixture.model(after))
    }
    #expect(error.domain == NSCocoaErrorDomain && error.code == 134190)
    #expect(error.localizedDescription.contains("A.x: it was String and is Date"))
    #expect(error.userInfo["entity"] as? String == "A" && error.userInfo["property"] as? String == "x")
    #expect((error.userInfo["reason"] as? String)?.contains("String does not turn into Date") == true)
    let all = try #require(error.userInfo[NSDetailedErrorsKey] as? [NSError])
    #expect(all.map { $0.userInfo["property"] as? String } == ["x", "z"])
    #expect(all.allSatisfy { $0.code == 134190 })
  }

  @Test func errorsOfMigrations() throws {
    let result = try migration("<entity name='A'/>", "<entity name='A'>\(text(""))</entity>")
    let error = try #require(result.obstacles.first?.error)
    #expect(error.code == 134110)
    #expect(error.localizedDescription.contains("missing attribute values on mandatory destination attribute"))
    #expect(error.localizedDescription.contains("A.x"))
    let underlying = try #require(error.userInfo[NSUnderlyingErrorKey] as? NSError)
    #expect(underlying.code == 134110 && underlying.userInfo["attribute"] as? String == "x")
    #expect(underlying.userInfo["entity"] as? String == "A" && underlying.userInfo["reason"] is String)
  }
}

import Foundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// What changed between two models, and what lightweight migration makes of it.
@Suite struct ModelDifferenceTests {
  private func model(_ entities: String) throws -> NSManagedObjectModel {
    let model = NSManagedObjectModel()
    var reader = try SourceModelReader(root: XMLElementTree.parse(Data("<model>\(entities)</model>".utf8)))
    try reader.read(into: model)
    return model
  }

  private func difference(_ before: String, _ after: String) throws -> ModelDifference {
    ModelDifference(from: try model(before), to: try model(after))
  }

  /// The codes of what stands in the way of changing one entity.
  private func codes(_ before: String, _ after: String) throws -> [Int] {
    try difference("<entity name='A'>\(before)</entity>", "<entity name='A'>\(after)</entity>").obstacles
      .map(\.kind.code)
  }

  private func attribute(_ type: String, _ rest: String = "optional='YES'") -> String {
    "<attribute name='x' attributeType='\(type)' \(rest)/>"
  }

  @Test func attributes() throws {
    let text = attribute("String")
    #expect(try codes("", text) == [])
    #expect(try codes(text, "") == [])
    #expect(try codes(attribute("String", ""), text) == [])
    #expect(try codes(text, attribute("String", "defaultValueString='-'")) == [])
    #expect(try codes(text, attribute("String", "")) == [134110])
    #expect(try codes("", attribute("String", "defaultValueString='-'")) == [])
    #expect(try codes("", attribute("String", "")) == [134110])
    #expect(try codes("", attribute("String", "transient='YES'")) == [])
    #expect(try codes("", attribute("Date", "derived='YES' derivationExpression='now()'")) == [])
    for type in ["Boolean", "Decimal", "Double", "Integer 64"] {
      #expect(try codes(attribute("Integer 16"), attribute(type)) == [])
      #expect(try codes(attribute(type), attribute("Float")) == [])
      #expect(try codes(attribute(type), text) == [134190])
    }
    #expect(try codes(text, attribute("Date")) == [134190])
    #expect(try codes(text, "<relationship name='x' optional='YES' maxCount='1' destinationEntity='A'/>") == [134190])
  }

  @Test func relationships() throws {
    func relationship(_ rest: String) -> String { "<relationship name='r' destinationEntity='A' \(rest)/>" }
    let one = relationship("optional='YES' maxCount='1'"), many = relationship("optional='YES' toMany='YES'")
    #expect(try codes("", one) == [])
    #expect(try codes(one, "") == [])
    #expect(try codes(one, many) == [])
    #expect(try codes(many, one) == [])
    #expect(try codes(many, relationship("optional='YES' toMany='YES' ordered='YES'")) == [])
    #expect(try codes("", relationship("maxCount='1'")) == [134110])
    #expect(try codes(one, relationship("maxCount='1'")) == [134110])
    let other = one.replacing("destinationEntity='A'", with: "destinationEntity='B'")
    let two = "</entity><entity name='B'>"
    #expect(try codes(one + two, other + two) == [134190])
    let parent = "<entity name='A' parentEntity='B'>\(other)</entity><entity name='B'/>"
    #expect(try difference("<entity name='A'>\(one)</entity>", parent).obstacles.isEmpty)
  }

  @Test func hierarchies() throws {
    func obstacles(_ before: String, _ after: String) throws -> Int { try difference(before, after).obstacles.count }
    let apart = "<entity name='A'/><entity name='B'/>"
    let together = "<entity name='P'/><entity name='A' parentEntity='P'/><entity name='B' parentEntity='P'/>"
    #expect(try obstacles(apart, together) == 1)
    #expect(try obstacles(together, apart) == 0)
    // One may get a new superentity, and go into a hierarchy that is there.
    #expect(try obstacles(apart, "<entity name='P'/><entity name='A' parentEntity='P'/><entity name='B'/>") == 0)
    #expect(try obstacles(apart, "<entity name='A'/><entity name='B' parentEntity='A'/>") == 0)
    let two = apart + "<entity name='C' parentEntity='B'/>"
    let nested = "<entity name='A'/><entity name='B' parentEntity='A'/><entity name='C' parentEntity='B'/>"
    #expect(try obstacles(two, nested) == 1)
  }

  @Test func propertiesMoveInAHierarchy() throws {
    let text = attribute("String", "")
    let below = "<entity name='P'/><entity name='A' parentEntity='P'>\(text)</entity>"
    let above = "<entity name='P' isAbstract='YES'>\(text)</entity><entity name='A' parentEntity='P'/>"
    let up = try difference(below.replacing("'P'/>", with: "'P' isAbstract='YES'/>"), above)
    #expect(up.obstacles.isEmpty)
    let moved = try #require(up.entities.first { $0.name == "A" }?.changedProperties.first)
    #expect(moved.aspects == [ChangedAspect(name: "declared by", source: "A", destination: "P")])
    // A concrete superentity has rows that lack it.
    #expect(try difference(below, above.replacing(" isAbstract='YES'", with: "")).obstacles.map(\.entity) == ["P"])
  }

  @Test func renamingIdentifiers() throws {
    func names(_ before: String, _ after: String) throws -> [String] {
      func attribute(_ text: String) -> String {
        let parts = text.split(separator: ":")
        let identifier = parts.count > 1 ? "elementID='\(parts[1])'" : ""
        return "<attribute name='\(parts[0])' attributeType='String' optional='YES' \(identifier)/>"
      }
      func entity(_ text: String) -> String {
        "<entity name='A'>" + text.split(separator: " ").map { attribute(String($0)) }.joined() + "</entity>"
      }
      return try difference(entity(before), entity(after)).entities[0].properties.map {
        "\($0.source?.name ?? "-")>\($0.destination?.name ?? "-")"
      }
    }
    #expect(try names("color", "paint:color") == ["color>paint"])
    #expect(try names("paint:color", "primary:color") == ["paint>primary"])
    #expect(try names("paint", "primary:paint") == ["paint>primary"])
    #expect(try names("paint:color", "primary:paint") == ["->primary", "paint>-"])
    #expect(try names("color", "color paint:color") == ["->color", "color>paint"])
    #expect(try names("a b", "b:a a:b") == ["b>a", "a>b"])
  }

  @Test func relationshipsFollowARenamedEntity() throws {
    let relationship = "<relationship name='r' optional='YES' maxCount='1' destinationEntity='B'/>"
    let result = try difference(
      "<entity name='A'>\(relationship)</entity><entity name='B'/>",
      "<entity name='A'>\(relationship.replacing("'B'", with: "'C'"))</entity><entity name='C' elementID='B'/>")
    #expect(result.changedEntities.map(\.name) == ["C"])
    #expect(result.rehashedEntities.map(\.name) == ["A", "C"])
    #expect(result.obstacles.isEmpty)
  }

  @Test(.enabled(if: Corpus.isThere, "the corpus is not there")) func everyModelIsTheSameAsItsCompiledForm() throws {
    for file in Corpus.files("/contents", below: "models") {
      let model = try NSManagedObjectModel(validatingContentsOf: file)
      let copy = try ModelCache.decode(ModelCache.encode(model))
      let result = ModelDifference(from: model, to: copy)
      #expect(result.changedEntities.isEmpty && !result.needsMigration && result.aspects.isEmpty, "\(file.path)")
      #expect(result.obstacles.isEmpty && result.conditions.isEmpty, "\(file.path)")
    }
  }
}

import CoreData
import Foundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// The statements for each kind of change, compared with those in Fixtures/Migration/Plans.txt.
///
/// `RECORD_PLANS=<file> swift test --filter MigrationPlanTests` writes what they are now to a file.
@Suite struct MigrationPlanTests {
  private struct Kind {
    let name: String
    let before: String
    let after: String
  }

  private static func attribute(_ name: String, _ type: String = "String", _ rest: String = "optional='YES'") -> String
  {
    "<attribute name='\(name)' attributeType='\(type)' \(rest)/>"
  }

  private static func entity(_ name: String, _ properties: String = "", _ rest: String = "") -> String {
    "<entity name='\(name)' \(rest)>\(properties)</entity>"
  }

  private static func relate(_ name: String, _ entity: String, _ inverse: String, _ rest: String = "") -> String {
    "<relationship name='\(name)' destinationEntity='\(entity)' inverseName='\(inverse)' inverseEntity='\(entity)' "
      + "optional='YES' \(rest)/>"
  }

  private static let many = "toMany='YES'", ordered = "toMany='YES' ordered='YES'"
  private static let unique =
    "<uniquenessConstraints><uniquenessConstraint><constraint value='x'/></uniquenessConstraint></uniquenessConstraints>"
  private static let index =
    "<fetchIndex name='byX'><fetchIndexElement property='x' type='Binary' order='ascending'/></fetchIndex>"

  private static func pair(_ a: String, _ b: String) -> String {
    entity("A", relate("b", "B", "as", a)) + entity("B", relate("as", "A", "b", b))
  }

  private static var kinds: [Kind] {
    let x = attribute("x"), y = attribute("y", "Integer 32")
    let tree = entity("A", x) + entity("B", y, "parentEntity='A'")
    return [
      Kind(name: "attribute added", before: entity("A", x), after: entity("A", x + y)),
      Kind(
        name: "attribute added with a value", before: entity("A", x),
        after: entity("A", x + attribute("y", "Integer 32", "defaultValueString='7'"))),
      Kind(name: "attribute removed", before: entity("A", x + y), after: entity("A", x)),
      Kind(
        name: "attribute renamed", before: entity("A", x),
        after: entity("A", attribute("z", "String", "optional='YES' elementID='x'"))),
      Kind(
        name: "attribute mandatory", before: entity("A", x),
        after: entity("A", attribute("x", "String", "defaultValueString='-'"))),
      Kind(
        name: "number of the same column type", before: entity("A", attribute("x", "Integer 64")),
        after: entity("A", attribute("x", "Integer 16"))),
      Kind(
        name: "number of another column type", before: entity("A", attribute("x", "Integer 64")),
        after: entity("A", attribute("x", "Double"))),
      Kind(
        name: "number to Boolean", before: entity("A", attribute("x", "Integer 64")),
        after: entity("A", attribute("x", "Boolean"))),
      Kind(name: "entity added, the others renumbered", before: entity("B", x), after: entity("A", x) + entity("B", x)),
      Kind(name: "entity removed", before: entity("A", x) + entity("B", x), after: entity("A", x)),
      Kind(name: "entity renamed", before: entity("A", x + index), after: entity("B", x + index, "elementID='A'")),
      Kind(name: "index and constraint added", before: entity("A", x), after: entity("A", x + index + unique)),
      Kind(name: "constraint removed", before: entity("A", x + unique), after: entity("A", x)),
      Kind(name: "one-to-many to many-to-many", before: pair("", many), after: pair(many, many)),
      Kind(name: "many-to-many to one-to-many", before: pair(many, many), after: pair("", many)),
      Kind(name: "one-to-one to one-to-many", before: pair("", ""), after: pair("", many)),
      Kind(name: "ordered", before: pair("", many), after: pair("", ordered)),
      Kind(name: "no longer ordered", before: pair("", ordered), after: pair("", many)),
      Kind(name: "ordered many-to-many", before: pair(many, many), after: pair(ordered, many)),
      Kind(
        name: "many-to-many of renumbered entities", before: pair(many, many),
        after: entity("AA", x) + pair(many, many)),
      Kind(name: "attribute moved down", before: tree, after: entity("A") + entity("B", x + y, "parentEntity='A'")),
      Kind(name: "attribute moved up", before: tree, after: entity("A", x + y) + entity("B", "", "parentEntity='A'")),
      Kind(name: "entity into a hierarchy", before: entity("A", x) + entity("B", y), after: tree),
      Kind(name: "entity out of a hierarchy", before: tree, after: entity("A", x) + entity("B", x + y)),
      Kind(
        name: "new abstract parent", before: entity("B", x + y),
        after: entity("A", x, "isAbstract='YES'") + entity("B", y, "parentEntity='A'")),
      Kind(
        name: "destination with subentities", before: pair("", many),
        after: pair("", many) + entity("C", x, "parentEntity='B'")),
      Kind(
        name: "derived attribute added", before: pair("", many),
        after: entity("A", relate("b", "B", "as"))
          + entity(
            "B",
            relate("as", "A", "b", many)
              + "<attribute name='n' optional='YES' attributeType='Integer 64' derived='YES' derivationExpression='as.@count'/>"
          )
      ),
    ]
  }

  @Test func statementsAreThoseOfTheFixture() throws {
    var text = ""
    for kind in Self.kinds {
      let store = try MigratedStore.make(
        try MigrationFixture.model(kind.before), try MigrationFixture.model(kind.after), objects: 1)
      let statements = try store.migrateAndCheck(kind.name).statements
      text += "# \(kind.name)\n" + statements.map { "\($0);\n" }.joined() + "\n"
    }
    if let file = ProcessInfo.processInfo.environment["RECORD_PLANS"] {
      try text.write(toFile: file, atomically: true, encoding: .utf8)
    }
    let known = try String(
      contentsOf: MigrationFixture.folder.appendingPathComponent("Plans.txt"), encoding: .utf8)
    let (found, wanted) = (text.components(separatedBy: "\n\n"), known.components(separatedBy: "\n\n"))
    for (found, wanted) in zip(found, wanted) where found != wanted { Issue.record("\(found)\nis not\n\(wanted)") }
    #expect(found.count == wanted.count)
  }

  /// The plan that a file gets is the one that was shown.
  @Test func aPlanIsShownWithoutTouchingTheFile() throws {
    let store = try MigratedStore.make(
      try MigrationFixture.model(Self.entity("A", Self.attribute("x"))),
      try MigrationFixture.model(Self.entity("A", Self.attribute("x", "String", "defaultValueString='-'"))), objects: 3)
    let bytes = try Data(contentsOf: store.url)
    let plan = try store.plan()
    #expect(try Data(contentsOf: store.url) == bytes)
    let text = "\(plan)"
    #expect(
      text.hasPrefix("A: transformed, table ZA altered, 3 rows\n  x: no longer optional, - where there is no value\n"))
    #expect(text.contains("UPDATE ZA SET ZX = IFNULL(ZX, '-') WHERE ZX IS NULL;"))
    #expect(plan.rowsTouched == 3)
    #expect(try store.inPlace().run()?.statements == plan.statements)
  }
}

import Foundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// What the tables and columns of a model are called, by either naming.
@Suite struct NamingTests {
  private func schema(_ model: NSManagedObjectModel, _ dialect: any SQLDialect) -> SQLModel {
    SQLModel(entities: model.entities, dialect: dialect)
  }

  @Test func namesThatDifferInCaseAloneAreTwoOnlyWhereTheyAreQuoted() throws {
    let model = NSManagedObjectModel()
    model.entities = [
      TestModel.entity(
        "Thing", [TestModel.attribute("name", .stringAttributeType), TestModel.attribute("Name", .stringAttributeType)])
    ]
    func columns(_ dialect: any SQLDialect) -> [String] { schema(model, dialect).tables[0].columns.map(\.name) }
    #expect(columns(SQLiteDialect()) == ["ZNAME", "ZNAME1"])
    #expect(columns(PostgreSQLDialect()) == ["Name", "name"])
  }

  @Test func elementsOfACompositeHaveTheNamesThatLeadToThem() throws {
    let home = NSCompositeAttributeDescription()
    home.name = "home"
    home.elements = [
      TestModel.attribute("street", .stringAttributeType), TestModel.attribute("zip", .stringAttributeType),
    ]
    let model = NSManagedObjectModel()
    model.entities = [TestModel.entity("Person", [home])]
    #expect(schema(model, PostgreSQLDialect()).tables[0].columns.map(\.name) == ["home.street", "home.zip"])
    #expect(schema(model, SQLiteDialect()).tables[0].columns.map(\.name) == ["ZSTREET", "ZZIP"])
  }

  /// A server would cut longer names without an error, so that two of them would be one.
  @Test func longNamesAreCutAndStayDifferent() throws {
    let start = String(repeating: "é", count: 40)
    let names = ["a", "b"].map { start + $0 }
    let model = NSManagedObjectModel()
    model.entities = names.map { TestModel.entity($0, [TestModel.attribute($0, .stringAttributeType)]) }
    let tables = schema(model, PostgreSQLDialect()).tables
    for name in tables.flatMap({ [$0.name] + $0.columns.map(\.name) }) {
      #expect(name.utf8.count <= 63, "\(name)")
      #expect(name.hasPrefix(String(repeating: "é", count: 27) + "~"), "\(name)")
    }
    #expect(Set(tables.map(\.name)).count == 2)
    // The same each time: other processes must find the tables.
    #expect(schema(model, PostgreSQLDialect()).tables.map(\.name) == tables.map(\.name))
    #expect(ExactNaming(longestName: 63).table(of: String(repeating: "x", count: 63)).utf8.count == 63)
  }

  @Test func aPropertyMayBeCalledAsAColumnThatEveryTableHas() throws {
    let model = NSManagedObjectModel()
    model.entities = [TestModel.entity("Thing", [TestModel.attribute("_pk", .stringAttributeType)])]
    #expect(schema(model, PostgreSQLDialect()).tables[0].columns.map(\.name) == ["_pk1"])
  }
}

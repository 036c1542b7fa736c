import Foundation
import OpenCocoaFoundation
import Testing

@_spi(Store) @testable import OpenCoreData

@Suite("The SQL of predicates")
struct PredicateSQLTests {
  private let people = PeopleSQL()

  private func sql(_ predicate: NSPredicate) throws -> String { try people.condition(predicate) }

  private func tag(_ key: Int64, isTemporary: Bool = false) throws -> Reference {
    Reference(key: key, entity: try #require(people.schema.entity(named: "Tag")).entity, isTemporary: isTemporary)
  }

  private func person(_ key: Int64) throws -> Reference {
    Reference(key: key, entity: try #require(people.schema.entity(named: "Employee")).entity, isTemporary: false)
  }

  final class Reference: NSObject, SQLObjectReference {
    let sqlReference: (primaryKey: Int64, entity: NSEntityDescription, isTemporary: Bool)?

    init(key: Int64, entity: NSEntityDescription, isTemporary: Bool) {
      sqlReference = (key, entity, isTemporary)
    }
  }

  @Test(
    "Comparisons",
    arguments: [
      ("age > 5 AND name == 'a'", "WHERE t0.ZAGE > ? AND t0.ZNAME = ?"),
      ("5 < age", "WHERE t0.ZAGE > ?"),
      ("name != 'a'", "WHERE t0.ZNAME IS NOT ?"),
      ("name == nil OR name != nil", "WHERE (t0.ZNAME IS NULL OR t0.ZNAME IS NOT NULL)"),
      ("NOT (age < 5)", "WHERE (t0.ZAGE < ?) IS NOT 1"),
      ("NOT (age == 5 OR name == nil)", "WHERE t0.ZAGE IS NOT ? AND t0.ZNAME IS NOT NULL"),
      ("age == 'five'", "WHERE 0"),
      ("name == 5", "WHERE NSCoreDataNumber(t0.ZNAME) = ?"),
      ("age BETWEEN {1, 5}", "WHERE t0.ZAGE BETWEEN ? AND ?"),
      ("name BETWEEN {'a', 5}", "WHERE t0.ZNAME >= ? AND NSCoreDataNumber(t0.ZNAME) <= ?"),
      ("age == weight", "WHERE t0.ZAGE IS t0.ZWEIGHT"),
      ("age + 1 < weight / 2", "WHERE (t0.ZAGE + ?) < (t0.ZWEIGHT / ?)"),
      ("entity.name == 'Employee'", "WHERE t0.Z_ENT = ?"),
      ("entity.name >= 'A' AND entity.name >= 'P'", "WHERE t0.Z_ENT = ?"),
      ("entity.name BEGINSWITH 'X' OR entity.name == 'X'", "WHERE 0"),
      ("entity.name CONTAINS[c] 'EMP' AND 'Per' != entity.name", "WHERE t0.Z_ENT = ?"),
      ("noindex:(age) == 5", "WHERE +t0.ZAGE = ?"),
    ])
  func comparisons(_ format: String, _ expected: String) throws {
    #expect(try sql(NSPredicate(format: format)) == expected)
  }

  @Test(
    "Strings: an index can answer a prefix, and only options need a function",
    arguments: [
      ("name BEGINSWITH 'ab'", "WHERE t0.ZNAME >= ? AND t0.ZNAME < ?"),
      ("name ENDSWITH 'ab'", "WHERE substr(CAST(t0.ZNAME AS BLOB), -2) = ?"),
      ("name CONTAINS 'ab'", "WHERE instr(t0.ZNAME, ?) > 0"),
      ("name CONTAINS ''", "WHERE 0"),
      ("name LIKE 'ab*'", "WHERE t0.ZNAME >= ? AND t0.ZNAME < ?"),
      ("name LIKE '*ab*'", "WHERE instr(t0.ZNAME, ?) > 0"),
      ("name LIKE 'a?b'", "WHERE NSCoreDataLike(t0.ZNAME, ?)"),
      ("name LIKE 'ab'", "WHERE t0.ZNAME = ?"),
      ("name CONTAINS[cd] 'ab'", "WHERE NSCoreDataStringSearch(t0.ZNAME, ?, 67, 1)"),
      ("name ==[c] 'ab'", "WHERE NSCoreDataStringSearch(t0.ZNAME, ?, 65, 0)"),
      ("name <[c] 'ab'", "WHERE NSCoreDataStringCompare(t0.ZNAME, ?, 1) < 0"),
      ("name MATCHES 'a+'", "WHERE NSCoreDataStringSearch(t0.ZNAME, ?, 0, 5)"),
    ])
  func strings(_ format: String, _ expected: String) throws {
    #expect(try sql(NSPredicate(format: format)) == expected)
  }

  @Test(
    "Key paths: rows without a partner stay only where they may satisfy the predicate",
    arguments: [
      ("boss.name == 'a'", "JOIN ZPERSON t1 ON t0.ZBOSS = t1.Z_PK WHERE t1.ZNAME = ?"),
      (
        "boss.name == 'a' OR age == 1",
        "LEFT OUTER JOIN ZPERSON t1 ON t0.ZBOSS = t1.Z_PK WHERE (t1.ZNAME = ? OR t0.ZAGE = ?)"
      ),
      ("boss.name == nil", "LEFT OUTER JOIN ZPERSON t1 ON t0.ZBOSS = t1.Z_PK WHERE t1.ZNAME IS NULL"),
      ("boss == nil", "WHERE t0.ZBOSS IS NULL"),
    ])
  func keyPaths(_ format: String, _ expected: String) throws {
    #expect(try sql(NSPredicate(format: format)) == expected)
  }

  @Test(
    "Members of to-many relationships",
    arguments: [
      (
        "ANY tags.label == 'x'",
        "WHERE EXISTS (SELECT 1 FROM Z_1TAGS t1 JOIN ZTAG t2 ON t1.Z_3TAGS = t2.Z_PK "
          + "WHERE t1.Z_1PEOPLE = t0.Z_PK AND t2.ZLABEL = ?)"
      ),
      (
        "ALL reports.age > 3",
        "WHERE NOT EXISTS (SELECT 1 FROM ZPERSON t1 WHERE t1.ZBOSS = t0.Z_PK AND t1.ZAGE IS NOT NULL "
          + "AND (t1.ZAGE > ?) IS NOT 1)"
      ),
      ("tags.@count > 0", "WHERE EXISTS (SELECT 1 FROM Z_1TAGS t1 WHERE t1.Z_1PEOPLE = t0.Z_PK)"),
      ("0 == tags.@count", "WHERE NOT EXISTS (SELECT 1 FROM Z_1TAGS t1 WHERE t1.Z_1PEOPLE = t0.Z_PK)"),
      ("tags.@count > 2", "WHERE (SELECT COUNT(*) FROM Z_1TAGS t1 WHERE t1.Z_1PEOPLE = t0.Z_PK) > ?"),
      ("reports.@max.age > 2", "WHERE (SELECT MAX(t1.ZAGE) FROM ZPERSON t1 WHERE t1.ZBOSS = t0.Z_PK) > ?"),
      (
        "SUBQUERY(reports, $r, $r.age > 1 AND $r.name == name).@count == 0",
        "WHERE NOT EXISTS (SELECT 1 FROM ZPERSON t1 WHERE t1.ZBOSS = t0.Z_PK AND t1.ZAGE > ? "
          + "AND t1.ZNAME IS t0.ZNAME)"
      ),
      (
        "ANY boss.tags.rank == 1",
        "WHERE EXISTS (SELECT 1 FROM Z_1TAGS t1 JOIN ZTAG t2 ON t1.Z_3TAGS = t2.Z_PK "
          + "WHERE t1.Z_1PEOPLE = t0.ZBOSS AND t2.ZRANK = ?)"
      ),
    ])
  func members(_ format: String, _ expected: String) throws {
    #expect(try sql(NSPredicate(format: format)) == expected)
  }

  @Test("Objects are compared by their keys, in the table where these mean something")
  func objects() throws {
    let boss = try person(7)
    #expect(try sql(NSPredicate(format: "boss == %@", boss)) == "WHERE t0.ZBOSS = ?")
    #expect(try sql(NSPredicate(format: "boss == %@", try tag(7))) == "WHERE 0")
    #expect(try sql(NSPredicate(format: "ANY tags == %@", try tag(7, isTemporary: true))) == "WHERE 0")
    #expect(try sql(NSPredicate(format: "SELF == %@", boss)) == "WHERE t0.Z_PK = ?")
    #expect(
      try sql(NSPredicate(format: "boss IN %@", [boss, try person(8), try tag(9)]))
        == "WHERE t0.ZBOSS IN (SELECT value FROM json_each(?))")
    #expect(
      try sql(NSPredicate(format: "tags CONTAINS %@", try tag(1)))
        == "WHERE t0.Z_PK IN (SELECT t1.Z_1PEOPLE FROM Z_1TAGS t1 WHERE t1.Z_3TAGS = ? AND t1.Z_1PEOPLE IS NOT NULL)")
  }

  @Test("Lists of about the same length share a statement")
  func lists() throws {
    #expect(try sql(NSPredicate(format: "name IN %@", ["a", "b", "c"])) == "WHERE t0.ZNAME IN (?,?,?,?)")
    #expect(try sql(NSPredicate(format: "name IN %@", ["a", "a"])) == "WHERE t0.ZNAME = ?")
    #expect(try sql(NSPredicate(format: "name IN %@", ["\u{C4}", "A\u{308}"])) == "WHERE t0.ZNAME IN (?,?)")
    #expect(try sql(NSPredicate(format: "name IN %@", [String]())) == "WHERE 0")
    #expect(
      try sql(NSPredicate(format: "age IN %@", [1, 2, 3])) == "WHERE t0.ZAGE IN (SELECT value FROM json_each(?))")
  }

  @Test("Alternatives for one property become a list")
  func alternatives() throws {
    #expect(
      try sql(NSPredicate(format: "name == 'a' OR age > 1 OR name == 'b' OR name == 'c'"))
        == "WHERE (t0.ZNAME IN (?,?,?,?) OR t0.ZAGE > ?)")
  }

  @Test(
    "What SQL cannot express is refused by name",
    arguments: [
      ("expired == nil", "keypath expired not found in entity Person"),
      ("boss.expired == nil", "keypath boss.expired not found in entity Person"),
      ("tags.label == 'x'", "to-many key not allowed here: tags.label == \"x\""),
      ("FUNCTION(name, 'foo:', 1) == 3", "Unsupported function expression FUNCTION(name, \"foo:\" , 1)"),
      ("$x.name == 3", "Can't get value for 'x' in bindings: the variable has no value."),
      ("born CONTAINS 'x'", "Can't do a substring operation with something that isn't a string (date)"),
    ])
  func refused(_ format: String, _ expected: String) throws {
    let error = #expect(throws: NSError.self) { try sql(NSPredicate(format: format)) }
    #expect(error?.localizedDescription == expected)
    #expect(error?.domain == NSCocoaErrorDomain)
  }

  @Test("A block is refused")
  func block() throws {
    let error = #expect(throws: NSError.self) { try sql(NSPredicate { _, _ in true }) }
    #expect(error?.localizedDescription.hasPrefix("Unknown predicate type for predicate: BLOCKPREDICATE(0x") ?? false)
  }
}

import Foundation
import OpenCocoaFoundation
import Testing

import class OpenCocoaFoundation.NSComparisonPredicate
import class OpenCocoaFoundation.NSCompoundPredicate
import class OpenCocoaFoundation.NSExpression

@_spi(Store) @testable import OpenCoreData

@Suite("The SQL of sets, counts and functions")
struct MemberSQLTests {
  private let people = PeopleSQL()

  private func sql(_ predicate: NSPredicate) throws -> String { try people.condition(predicate) }

  @Test(
    "Whether there are any members is a question of EXISTS, in every form",
    arguments: [
      "tags.@count", "count(tags)", "tags[SIZE]", "SUBQUERY(tags, $t, TRUEPREDICATE).@count",
      "count(SUBQUERY(tags, $t, TRUEPREDICATE))", "SUBQUERY(SUBQUERY(tags, $t, 1 == 1), $t, 2 == 2)[SIZE]",
    ])
  func exists(_ count: String) throws {
    let members = "EXISTS (SELECT 1 FROM Z_1TAGS t1 WHERE t1.Z_1PEOPLE = t0.Z_PK)"
    for form in ["\(count) > 0", "\(count) != 0", "\(count) >= 1", "0 < \(count)", "0 != \(count)", "1 <= \(count)"] {
      #expect(try sql(NSPredicate(format: form)) == "WHERE " + members)
      #expect(try sql(NSPredicate(format: "NOT (\(form))")) == "WHERE NOT " + members)
    }
    for form in ["\(count) == 0", "\(count) < 1", "\(count) <= 0", "0 == \(count)", "1 > \(count)", "0.0 >= \(count)"] {
      #expect(try sql(NSPredicate(format: form)) == "WHERE NOT " + members)
      #expect(try sql(NSPredicate(format: "NOT (\(form))")) == "WHERE " + members)
    }
  }

  @Test(
    "ANY, ALL and NONE",
    arguments: [
      (
        "NONE tags.rank == 1",
        "WHERE NOT EXISTS (SELECT 1 FROM Z_1TAGS t1 JOIN ZTAG t2 ON t1.Z_3TAGS = t2.Z_PK "
          + "WHERE t1.Z_1PEOPLE = t0.Z_PK AND t2.ZRANK = ?)"
      ),
      ("SOME reports.age > 1", "WHERE EXISTS (SELECT 1 FROM ZPERSON t1 WHERE t1.ZBOSS = t0.Z_PK AND t1.ZAGE > ?)"),
      (
        "ANY reports.tags.rank IN {1, 2}",
        "WHERE EXISTS (SELECT 1 FROM ZPERSON t1 JOIN Z_1TAGS t2 ON t2.Z_1PEOPLE = t1.Z_PK "
          + "JOIN ZTAG t3 ON t2.Z_3TAGS = t3.Z_PK WHERE t1.ZBOSS = t0.Z_PK "
          + "AND t3.ZRANK IN (SELECT value FROM json_each(?)))"
      ),
      (
        "ANY reports IN boss.reports",
        "WHERE EXISTS (SELECT 1 FROM ZPERSON t1 WHERE t1.ZBOSS = t0.Z_PK "
          + "AND EXISTS (SELECT 1 FROM ZPERSON t2 WHERE t2.ZBOSS = t0.ZBOSS AND t2.Z_PK = t1.Z_PK))"
      ),
    ])
  func quantifiers(_ format: String, _ expected: String) throws {
    let text = try sql(NSPredicate(format: format))
    #expect(text == expected)
  }

  @Test(
    "Sets",
    arguments: [
      (
        "(reports MINUS SUBQUERY(reports, $r, $r.age > 1)).@count == 0",
        "WHERE NOT EXISTS (SELECT 1 FROM ZPERSON t1 WHERE t1.ZBOSS = t0.Z_PK AND NOT EXISTS (SELECT 1 FROM ZPERSON t2 "
          + "WHERE t2.ZBOSS = t0.Z_PK AND t2.ZAGE > ? AND t2.Z_PK = t1.Z_PK))"
      ),
      (
        "(reports.age UNION {1, 2}).@count > 2",
        "WHERE (2 + (SELECT COUNT(DISTINCT t1.ZAGE) FROM ZPERSON t1 WHERE t1.ZBOSS = t0.Z_PK "
          + "AND (t1.ZAGE IN (SELECT value FROM json_each(?))) IS NOT 1)) > ?"
      ),
    ])
  func sets(_ format: String, _ expected: String) throws {
    let text = try sql(NSPredicate(format: format))
    #expect(text == expected)
  }

  @Test(
    "Functions",
    arguments: [
      ("age + 1 + 2 - weight > 0", "WHERE (t0.ZAGE + ? + ? - t0.ZWEIGHT) > ?"),
      ("age * (big + 1) > 0", "WHERE (t0.ZAGE * (t0.ZBIG + ?)) > ?"),
      ("price * 3 > 1", "WHERE NSCoreData_multiplyby_decimal(1, t0.ZPRICE, ?) > ?"),
      ("born - 60 > 1", "WHERE (t0.ZBORN - ?) > ?"),
      ("sqrt(age) > 1", "WHERE NSCoreData_sqrt(t0.ZAGE) > ?"),
      ("max({age, weight}) > 1", "WHERE NSCoreData_max_list(0, t0.ZAGE, t0.ZWEIGHT) > ?"),
      (
        "median(reports.age) > 1",
        "WHERE (SELECT NSCoreDataMedian(DISTINCT t1.ZAGE) FROM ZPERSON t1 WHERE t1.ZBOSS = t0.Z_PK) > ?"
      ),
      ("objectID.isTemporaryID == NO", "WHERE 0 = ?"),
      ("objectID.isTemporaryID == nil", "WHERE 0 IS NULL"),
      ("SELF < boss", "WHERE 0"),
      ("{age, weight}[1] > 1", "WHERE t0.ZWEIGHT > ?"),
    ])
  func functions(_ format: String, _ expected: String) throws {
    let text = try sql(NSPredicate(format: format))
    #expect(text == expected)
  }

  @Test(
    "What SQL cannot express is named",
    arguments: [
      ("tags[0] == nil", "Unsupported function expression (tags)[0]"),
      ("tags[FIRST].rank == 1", "Unsupported function expression (tags)[FIRST]"),
      ("mode(reports.age) == 1", "Unsupported function expression mode:(reports.age)"),
      ("FUNCTION(name, 'foo') == 3", "Unsupported function expression FUNCTION(name, \"foo\")"),
      ("ANYKEY == 3", "Unsupported expression: ANYKEY"),
      ("(age UNION {1}).@count > 0", "Unsupported set expression: age UNION {1}"),
      ("sum(name) > 1", "Unsupported function expression sum:(name)"),
      ("sum(tags.label) > 1", "Unsupported @sum of values that are no numbers"),
      ("CAST(photo, 'NSString') == ''", "Don't know how to cast to NSString"),
      (
        "SUBQUERY(name, $x, $x == 1).@count > 0",
        "Can't perform a subquery on something that is not a to-many key: name"
      ),
      ("TERNARY(age > 1, name, age) == 1", "Unsupported TERNARY of different types: age > 1"),
      ("abs(name) == 1", "Unsupported function expression abs:(name)"),
      ("boss.reports.@count.age == 1", "keypath boss.reports.@count.age not found in entity Person"),
      (
        "reports.@distinctUnionOfObjects.age == 1",
        "keypath reports.@distinctUnionOfObjects.age not found in entity Person"
      ),
    ])
  func refused(_ format: String, _ expected: String) throws {
    let error = #expect(throws: NSError.self) { try sql(NSPredicate(format: format)) }
    #expect(error?.localizedDescription == expected)
  }

  @Test("Bad arguments are named")
  func badArguments() throws {
    func error(_ key: String, _ type: NSComparisonPredicate.Operator, _ value: Any) -> String? {
      let predicate = NSComparisonPredicate(
        leftExpression: NSExpression(forKeyPath: key), rightExpression: NSExpression(forConstantValue: value),
        modifier: .direct, type: type)
      return (#expect(throws: NSError.self) { try sql(predicate) })?.localizedDescription
    }
    #expect(error("name", .matches, "(") == "Can't do regex matching, reason: Can't open pattern (pattern ()")
    #expect(
      error("age", .between, [1, 2, 3])
        == "The right hand side for a BETWEEN operator must be an array of two values")
  }

  @Test("A block is refused as an expression")
  func block() throws {
    let expression = NSExpression(block: { _, _, _ in 1 }, arguments: nil)
    let predicate = NSComparisonPredicate(
      leftExpression: expression, rightExpression: NSExpression(forConstantValue: 1), modifier: .direct, type: .equalTo)
    let error = #expect(throws: NSError.self) { try sql(predicate) }
    #expect(error?.localizedDescription.hasPrefix("Unsupported expression: BLOCK(") ?? false)
  }
}

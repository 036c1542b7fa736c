import Foundation
import OpenCocoaFoundation

@_spi(Store) @testable import OpenCoreData

/// Statements of every kind, on the model of people, by names: what a dialect must be able to say, or refuses.
struct StatementCatalogue {
  let schema: SQLModel

  struct Entry {
    let name: String
    /// Whether the statement creates or alters something, so that it is run and not prepared.
    var isDefinition = false
    let statement: () throws -> SQLStatement
  }

  var entries: [Entry] { predicates + fetches + values + changes }

  // MARK: Conditions

  private static let formats = [
    "TRUEPREDICATE", "FALSEPREDICATE", "age > 5 AND name == 'a'", "5 < age", "name != 'a'",
    "name == nil OR name != nil", "NOT (age < 5)", "NOT (age == 5 OR name == nil)", "name == 5",
    "age BETWEEN {1, 5}", "age == weight", "age != weight", "age + 1 < weight / 2", "age - 1 > big * 2",
    "modulus:by:(age, 2) == 1", "age & 3 == 1", "age | 1 == 3", "age << 1 > 4", "price + 1 > 2", "price / 2 < 1",
    "born > CAST(0, 'NSDate')", "active == YES", "active != NO", "age IN {1, 2, 3}", "NOT (age IN {1, 2, 3})",
    "name IN {'a', 'b', 'c'}", "NOT (name IN {'a', 'b'})", "weight IN {1.5, 2.5}",
    "name == 'a' OR name == 'b' OR name == 'c'", "name == name", "name BEGINSWITH 'ab'", "name ENDSWITH 'ab'",
    "name CONTAINS 'ab'", "name CONTAINS ''", "name LIKE 'ab*'", "name LIKE '*ab*'", "name LIKE 'a?b'",
    "name LIKE 'a*b%'", "name LIKE '*'", "name MATCHES 'a+'", "name CONTAINS boss.name", "name BEGINSWITH boss.name",
    "name ENDSWITH boss.name", "name CONTAINS[cd] 'ab'", "name ==[c] 'ab'", "name <[c] 'ab'",
    "name IN[c] {'a', 'b'}", "name ==[l] 'ab'", "boss.name == 'a'", "boss.name == 'a' OR age == 1", "boss == nil",
    "boss.boss.age > 3", "boss.age == age", "entity.name == 'Employee'", "entity.name == 'Employee' OR age == 1",
    "boss.entity.name != 'Person'", "objectID.isTemporaryID == NO", "noindex:(age) == 5", "link == 'http://a.b'",
    "ANY tags.label == 'x'", "ANY tags.rank > 3", "ALL tags.rank > 3", "NONE tags.rank > 3", "ANY reports.age > 3",
    "ANY reports.tags.label == 'x'", "tags.@count == 0", "tags.@count > 2", "reports.@count > 0",
    "boss.reports.@count == 1", "reports.@sum.age > 5", "reports.@avg.age > 5", "reports.@min.age > 5",
    "reports.@max.name == 'a'", "reports.@sum.price > 1",
    "SUBQUERY(tags, $t, $t.rank > 1 AND $t.label == 'x').@count > 0",
    "SUBQUERY(reports, $r, $r.age > 3).@count == 2", "SUBQUERY(reports, $r, $r.age > $r.boss.age).@count > 0",
    "tags UNION tags CONTAINS nil", "(tags INTERSECT tags).@count > 1", "TERNARY(age > 5, 1, 0) == 1",
    "abs:(age) == 1", "sqrt:(weight) > 2", "floor:(weight) == 2", "ceiling:(weight) == 2", "trunc:(weight) == 2",
    "raise:toPower:(weight, 2) > 4", "ln:(weight) > 1", "log:(weight) > 1", "exp:(weight) > 1", "name.length == 3",
    "uppercase:(name) == 'A'", "lowercase:(name) == 'a'", "canonical:(name) == 'a'", "CAST(age, 'NSString') == '5'",
    "CAST(name, 'NSNumber') > 5", "CAST(name, 'NSDecimalNumber') > 5", "bitwiseXor:with:(age, 1) == 2",
    "sum({age, big}) > 3", "max({age, 5}) > 3", "random() > 0.5", "photo == nil", "photo != nil",
  ]

  private var predicates: [Entry] {
    Self.formats.map { format in
      Entry(name: format) {
        let predicate = try NSPredicate(parsing: format, arguments: [])
        return try fetch("Person") {
          $0.predicate = predicate
          $0.result = .count
        }
      }
    } + [
      Entry(name: "keys") { try fetch("Person") { ($0.rows, $0.result) = (.only([1, 2, 3]), .count) } },
      Entry(name: "not these keys") { try fetch("Person") { ($0.rows, $0.result) = (.without([1, 2, 3]), .count) } },
      Entry(name: "an identifier") { try fetch("Person", "uid == %@", [UUID.nearly(0)]) },
      Entry(name: "a list of identifiers") {
        try fetch("Person", "uid IN %@", [(0..<4).map { UUID.nearly($0) }])
      },
      Entry(name: "a Boolean as a number") { try fetch("Person", "active + 1 == 2 OR active == 5", []) },
      Entry(name: "Booleans of two rows") { try fetch("Person", "active == boss.active AND active != nil", []) },
      Entry(name: "a long list of texts") {
        let list = (0..<1100).map { "n\($0)" }
        return try fetch("Person") { ($0.predicate, $0.result) = (NSPredicate(format: "name IN %@", list), .count) }
      },
      Entry(name: "a chain of 40") {
        let parts = (0..<40).map { NSPredicate(format: "age != %d AND weight > %d", $0, $0) }
        let any = NSCompoundPredicate(orPredicateWithSubpredicates: parts)
        return try fetch("Person") { ($0.predicate, $0.result) = (any, .count) }
      },
    ]
  }

  // MARK: Results, order and pages

  private var fetches: [Entry] {
    [
      Entry(name: "rows of a hierarchy") { try fetch("Person") { _ in } },
      Entry(name: "rows of an entity alone") { try fetch("Person") { $0.includesSubentities = false } },
      Entry(name: "rows of a subentity") { try fetch("Employee") { _ in } },
      Entry(name: "rows of a table of one entity") { try fetch("Tag") { _ in } },
      Entry(name: "keys of a hierarchy") { try fetch("Person") { $0.result = .keys } },
      Entry(name: "keys of a table of one entity") { try fetch("Tag") { $0.result = .keys } },
      Entry(name: "a page in order") {
        try fetch("Person") {
          $0.sortDescriptors = [
            NSSortDescriptor(key: "boss.name", ascending: false), NSSortDescriptor(key: "age", ascending: true),
          ]
          ($0.limit, $0.offset) = (30, 60)
        }
      },
      Entry(name: "an offset alone") { try fetch("Tag") { $0.offset = 5 } },
      Entry(name: "a count of a page") { try fetch("Tag") { ($0.limit, $0.result) = (5, .count) } },
    ]
      + [
        "localizedCompare:", "localizedStandardCompare:", "localizedCaseInsensitiveCompare:", "caseInsensitiveCompare:",
      ].map {
        selector in
        Entry(name: "order by \(selector)") {
          try fetch("Person") {
            $0.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true, selector: Selector(selector))]
          }
        }
      }
  }

  private var values: [Entry] {
    func value(_ name: String, _ format: String) throws -> SQLFetchedValue {
      SQLFetchedValue(name: name, expression: try NSExpression(parsing: format, arguments: []))
    }
    func values(
      _ formats: [String], by groups: [String] = [], having: String? = nil, isDistinct: Bool = false
    ) throws -> SQLStatement {
      let columns = try formats.enumerated().map { try value("v\($0)", $1) }
      let groups = try groups.map { try NSExpression(parsing: $0, arguments: []) }
      let condition = try having.map { try NSPredicate(parsing: $0, arguments: []) }
      return try fetch("Person") {
        $0.result = .values(columns, groupBy: groups, having: condition)
        $0.isDistinct = isDistinct
      }
    }
    return [
      Entry(name: "values") { try values(["name", "age + 1", "boss"]) },
      Entry(name: "distinct values") { try values(["name", "photo"], isDistinct: true) },
      Entry(name: "values of all") {
        try values(["sum:(age)", "average:(weight)", "min:(name)", "max:(born)", "count:(age)"])
      },
      Entry(name: "sums of decimals") { try values(["sum:(price)", "average:(price)"]) },
      Entry(name: "median and deviation") { try values(["median:(age)", "stddev:(weight)"]) },
      Entry(name: "groups") { try values(["name", "count:(age)"], by: ["name"], having: "$v1 > 2") },
      Entry(name: "members of groups") { try values(["name", "count:(reports)", "sum:(reports.age)"], by: ["name"]) },
    ]
  }

  // MARK: Changes

  private var changes: [Entry] {
    func batch(_ name: String, _ format: String?, _ make: (inout SQLBatch) throws -> SQLStatement) throws
      -> SQLStatement
    {
      var batch = SQLBatch(model: schema, entity: try entity(name))
      batch.predicate = try format.map { try NSPredicate(parsing: $0, arguments: []) }
      return try make(&batch)
    }
    return [
      Entry(name: "update of constants") {
        try batch("Person", "age > 3") {
          try $0.update(["name": "x", "age": 5, "weight": nil, "active": true, "uid": UUID.nearly(1)])
        }
      },
      Entry(name: "update of an expression, with keys") {
        try batch("Person", nil) {
          $0.returnsKeys = true
          return try $0.update(["age": NSExpression(parsing: "age + 1", arguments: [])])
        }
      },
      Entry(name: "update of a Boolean by another") {
        try batch("Person", nil) { try $0.update(["active": NSExpression(forKeyPath: "active")]) }
      },
      Entry(name: "update through a relationship") {
        try batch("Employee", "boss.name == 'a'") { try $0.update(["name": "x"]) }
      },
      Entry(name: "delete") { try batch("Person", "age > 3") { try $0.delete() } },
      Entry(name: "delete of all of an entity alone, with keys") {
        try batch("Person", nil) {
          ($0.returnsKeys, $0.includesSubentities) = (true, false)
          return try $0.delete()
        }
      },
      Entry(name: "delete by members") { try batch("Person", "ANY tags.label == 'x'") { try $0.delete() } },
    ]
  }

  // MARK: Parts

  private func entity(_ name: String) throws -> SQLEntity {
    guard let entity = schema.entity(named: name) else { throw TestDatabase.Failure(message: "no entity \(name)") }
    return entity
  }

  private func fetch(_ name: String, _ format: String, _ arguments: [Any]) throws -> SQLStatement {
    try fetch(name) { ($0.predicate, $0.result) = (NSPredicate(format: format, argumentArray: arguments), .count) }
  }

  private func fetch(_ name: String, _ change: (inout SQLFetch) throws -> Void) throws -> SQLStatement {
    var fetch = SQLFetch(model: schema, entity: try entity(name))
    try change(&fetch)
    return try fetch.statement().statement
  }
}

extension UUID {
  /// An identifier that is the same each time.
  fileprivate static func nearly(_ number: UInt8) -> UUID {
    UUID(uuid: (number, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
  }
}

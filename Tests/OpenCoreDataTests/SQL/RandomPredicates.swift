import Foundation
import OpenCocoaFoundation

@_spi(Store) @testable import OpenCoreData

/// An object of the entity Person, managed or not.
protocol TestPerson: NSObject {
  var entity: NSEntityDescription { get }
}

extension TestObject: TestPerson {}

extension NSManagedObject: TestPerson {}

/// Makes random predicates on the people of `PeopleFixture`.
struct RandomPredicates {
  let people: [any TestPerson]
  let tags: [NSObject]

  let operators = ["==", "!=", "<", "<=", ">", ">="]
  let textOperators = ["CONTAINS", "BEGINSWITH", "ENDSWITH", "LIKE"]
  let options = ["", "", "[c]", "[d]", "[cd]", "[l]", "[cdl]", "[n]", "[cw]"]

  init(people: [any TestPerson], tags: [NSObject]) {
    self.people = people
    self.tags = tags
  }

  /// A comparison, or a compound of some.
  func predicate(depth: Int, _ random: inout SeededGenerator) -> NSPredicate {
    if depth > 0 {
      switch Int.random(in: 0..<6, using: &random) {
      case 0: return NSPredicate(format: "NOT %@", predicate(depth: depth - 1, &random))
      case 1, 2:
        let parts = (0..<Int.random(in: 2...3, using: &random)).map { _ in
          predicate(depth: depth - 1, &random)
        }
        return Bool.random(using: &random)
          ? NSCompoundPredicate(andPredicateWithSubpredicates: parts)
          : NSCompoundPredicate(orPredicateWithSubpredicates: parts)
      default: break
      }
    }
    return comparison(&random)
  }

  private func comparison(_ random: inout SeededGenerator) -> NSPredicate {
    let one = operators.randomElement(using: &random) ?? "=="
    let option = options.randomElement(using: &random) ?? ""
    let text = textOperators.randomElement(using: &random) ?? "LIKE"
    let prefix = ["", "", "boss.", "boss.boss."].randomElement(using: &random) ?? ""
    let attributes = ["name", "age", "weight", "height", "active", "born", "uid", "price", "link", "big", "photo"]
    let path = prefix + (attributes.randomElement(using: &random) ?? "name")
    let other = ["", "boss."].randomElement(using: &random).map {
      $0 + (attributes.randomElement(using: &random) ?? "age")
    }
    let person = people.randomElement(using: &random)
    let tag = tags.randomElement(using: &random)
    let value = constant(&random)
    switch Int.random(in: 0..<81, using: &random) {
    case 0, 1, 2: return NSPredicate(format: "%K \(one) %@", path, value)
    case 3: return NSPredicate(format: "%@ \(one) %K", value, path)
    case 4: return NSPredicate(format: "%K \(one) %K", path, other ?? "age")
    case 5: return NSPredicate(format: "%K \(one) nil", path)
    case 6: return NSPredicate(format: "\(prefix)name \(one)\(option) %@", string(&random))
    case 7: return NSPredicate(format: "\(prefix)name \(text)\(option) %@", pattern(&random))
    case 8: return NSPredicate(format: "%@ \(text)\(option) name", string(&random))
    case 9: return NSPredicate(format: "\(prefix)name MATCHES\(option) %@", "a.*|[b-z]+|5|Straße")
    case 10: return NSPredicate(format: "%K IN %@", path, (0..<4).map { _ in constant(&random) ?? NSNull() })
    case 11: return NSPredicate(format: "name IN\(option) %@", (0..<3).map { _ in string(&random) })
    case 12: return NSPredicate(format: "%K BETWEEN %@", path, [constant(&random) ?? 0, constant(&random) ?? 3])
    case 13: return NSPredicate(format: "\(prefix)boss \(Bool.random(using: &random) ? "==" : "!=") %@", person)
    case 14: return NSPredicate(format: "SELF IN %@ OR boss IN %@", [person], [person as Any, tag as Any, 5])
    case 15: return NSPredicate(format: "ANY \(prefix)tags.rank \(one) %@", number(&random))
    case 16:
      return NSPredicate(
        format: "ALL reports.\(["age", "weight"].randomElement(using: &random) ?? "age") \(one) %@", number(&random))
    case 17: return NSPredicate(format: "%@ IN tags OR reports CONTAINS %@", tag, person)
    case 18:
      return NSPredicate(
        format: "SUBQUERY(tags, $t, $t.rank \(one) %@ AND $t.label != %@).@count \(one) %d", number(&random),
        string(&random), Int.random(in: 0...2, using: &random))
    case 19: return NSPredicate(format: "\(prefix)tags.@count \(one) %d", Int.random(in: 0...2, using: &random))
    case 20:
      return NSPredicate(
        format: "reports.@\(["sum", "avg", "min", "max"].randomElement(using: &random) ?? "sum").age \(one) %@",
        number(&random))
    case 21: return NSPredicate(format: "ANY tags.label \(one)\(option) %@", string(&random))
    case 22: return NSPredicate(format: "ALL tags.label \(text)\(option) %@", pattern(&random))
    case 23: return NSPredicate(format: "ANY reports.boss.name \(one) %@", string(&random))
    case 24: return NSPredicate(format: "ANY reports.tags.rank \(one) %@", number(&random))
    case 25:
      return NSPredicate(
        format: "NONE boss.reports.%K \(one) %@ OR count(reports.%K) \(one) %d",
        attributes.randomElement(using: &random),
        value, attributes.randomElement(using: &random), Int.random(in: 0...2, using: &random))
    case 26:
      return NSPredicate(
        format:
          "SUBQUERY(reports, $r, $r.age \(one) $r.boss.age AND SUBQUERY($r.tags, $t, $t IN $r.boss.tags).@count > 0).@count > 0"
      )
    case 27: return NSPredicate(format: "ANY reports IN %@ OR ANY tags == %@", [person, people.first], tag)
    case 28: return NSPredicate(format: "TERNARY(active == YES, age, weight) \(one) %@", value)
    case 29:
      return NSPredicate(
        format: "\(["lowercase", "uppercase", "canonical"].randomElement(using: &random) ?? "")(name) \(one) %@",
        string(&random))
    case 30:
      return NSPredicate(format: "\(prefix)name.length \(one) %@ OR length(link) \(one) %@", number(&random), value)
    case 31:
      return NSPredicate(
        format: "abs(age) \(one) %@ OR floor(weight) \(one) %@ OR sqrt(abs(weight)) \(one) age", number(&random), value)
    case 32: return NSPredicate(format: "%K IN {%@, boss.age, name}", path, value)
    case 33:
      let function = ["sum", "min", "max", "average", "count"].randomElement(using: &random) ?? "sum"
      return NSPredicate(format: "\(function)(\(prefix)reports.age) \(one) %@", number(&random))
    case 34:
      return NSPredicate(
        format: "SUBQUERY(\(prefix)reports, $r, $r.age \(one) age AND $r.boss == SELF OR weight \(one) %@).@count > 0",
        number(&random))
    case 35:
      let number = ["age", "weight", "price", "height", "active", "big"].randomElement(using: &random) ?? "age"
      return NSPredicate(format: "\(prefix)\(number) \(text)\(option) %@", pattern(&random))
    case 36: return NSPredicate(format: "entity.name \(one) 'Employee' OR boss.entity.name \(one) 'Person'")
    case 37:
      let names = [string(&random), "Employee", NSNull()] as [Any]
      return NSPredicate(
        format: "boss.entity.name IN[c] %@ OR ANY reports.entity.name \(one) 'Employee' OR entity.name \(text) %@ "
          + "OR entity.name \(one) name OR boss.entity == %@ OR entity.name \(one)\(option) 'employee'", names,
        string(&random), person?.entity)
    case 38, 39:
      let extreme = ["min", "max"].randomElement(using: &random) ?? "min"
      let attribute = attributes.randomElement(using: &random) ?? "name"
      return NSPredicate(format: "\(prefix)reports.@\(extreme).\(attribute) \(one) %@", value)
    case 41..<60: return computed(&random)
    case 60..<80: return sets(&random)
    default:
      let sign = ["+", "-", "*", "/", "&"].randomElement(using: &random) ?? "+"
      return NSPredicate(
        format: "(age \(sign) \(["2", "weight", "price", "0"].randomElement(using: &random) ?? "2")) \(one) %@",
        number(&random))
    }
  }

  func string(_ random: inout SeededGenerator) -> String {
    PeopleFixture.names.randomElement(using: &random) ?? ""
  }

  private func pattern(_ random: inout SeededGenerator) -> String {
    let parts = ["*", "?", "\\*", "a", "nn", "b", "[", "]", "ä", "A", "\\", "日", ""]
    return (0..<Int.random(in: 0...4, using: &random)).map { _ in parts.randomElement(using: &random) ?? "" }.joined()
  }

  func number(_ random: inout SeededGenerator) -> Any {
    let numbers: [Any] = [
      0, 1, -1, 2, 2.5, true, Int16(3), NSNumber(value: 0.1), Decimal(string: "2.5") as Any, UInt8(4),
    ]
    return numbers.randomElement(using: &random) ?? 0
  }

  func constant(_ random: inout SeededGenerator) -> Any? {
    switch Int.random(in: 0..<10, using: &random) {
    case 0: return nil
    case 1, 2: return number(&random)
    case 3, 4: return string(&random)
    case 5: return Date(timeIntervalSinceReferenceDate: 0.5)
    case 6: return UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 1))
    case 7: return Data([0])
    case 8: return [Int64.max - 1, Int64(1) << 53].randomElement(using: &random)
    default: return URL(string: "http://a.b/c")
    }
  }
}

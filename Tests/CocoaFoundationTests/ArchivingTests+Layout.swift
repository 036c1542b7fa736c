import CocoaFoundation
import Foundation
import Testing

@Suite("The layout of archives")
struct ArchiveLayoutTests {
  /// Puts objects of Apple's archives into one, with their classes: `[class, fields]`; an integer in a field marked by
  /// `@` refers to an object.
  private static func archive(_ parts: [(String, [String: Any])]) -> EditableArchive {
    var objects: [Any] = ["$null"]
    var classes: [Any] = []
    for (name, fields) in parts {
      var object: [String: Any] = [:]
      for (key, value) in fields {
        switch value {
        case let list as [Int]: object[key] = list.map(EditableArchive.reference)
        case let number as Int where key.hasPrefix("@"):
          object[String(key.dropFirst())] = EditableArchive.reference(number)
        default: object[key] = value
        }
      }
      if name.isEmpty {
        objects.append(fields["text"] ?? 0)
        continue
      }
      object["$class"] = EditableArchive.reference(parts.count + 1 + classes.count)
      classes.append(["$classname": name, "$classes": [name, "NSObject"]] as [String: Any])
      objects.append(object)
    }
    return EditableArchive(objects + classes)
  }

  private static func decode(_ parts: [(String, [String: Any])]) throws -> NSObject? {
    let classes: [AnyClass] = [NSPredicate.self, NSExpression.self, NSSortDescriptor.self]
    return try NSKeyedUnarchiver.unarchivedObject(ofClasses: classes, from: try archive(parts).data()) as? NSObject
  }

  private static func text(_ text: Any) -> (String, [String: Any]) { ("", ["text": text]) }

  /// The objects of `lastName`, of which the first has the number `first`.
  private static func keyPath(_ name: String, first: Int) -> [(String, [String: Any])] {
    [
      (
        "NSKeyPathExpression",
        ["NSExpressionType": 3, "@NSOperand": first + 1, "@NSSelectorName": first + 2, "@NSArguments": first + 3]
      ),
      ("NSSelfExpression", ["NSExpressionType": 1]), text("valueForKey:"),
      ("NSMutableArray", ["NS.objects": [first + 4]]),
      ("NSKeyPathSpecifierExpression", ["NSExpressionType": 10, "@NSKeyPath": first + 5]), text(name),
    ]
  }

  private static func comparison(_ type: String, _ fields: [String: Any]) -> [(String, [String: Any])] {
    [
      ("NSComparisonPredicate", ["@NSLeftExpression": 2, "@NSRightExpression": 8, "@NSPredicateOperator": 10])
    ] + keyPath("lastName", first: 2) + [
      ("NSConstantValueExpression", ["NSExpressionType": 0, "@NSConstantValue": 9]), text("Duck*"), (type, fields),
    ]
  }

  @Test(
    "Comparisons as Apple's archives have them",
    arguments: [
      ("NSLikePredicateOperator", ["NSModifier": 0, "NSOperatorType": 7, "NSFlags": 0], "LIKE"),
      ("NSInPredicateOperator", ["NSModifier": 0, "NSOperatorType": 99, "NSFlags": 1], "CONTAINS[c]"),
      ("NSEqualityPredicateOperator", ["NSModifier": 0, "NSOperatorType": 4, "NSNegate": 0, "NSOptions": 0], "=="),
      ("NSComparisonPredicateOperator", ["NSModifier": 0, "NSOperatorType": 3, "NSVariant": 3, "NSOptions": 0], ">="),
    ])
  func comparisons(_ type: String, _ fields: [String: Int], _ sign: String) throws {
    let decoded = try Self.decode(Self.comparison(type, fields))
    #expect(decoded == NSPredicate(format: "lastName \(sign) 'Duck*'"))
  }

  @Test("Functions, variables and key paths of variables as Apple's archives have them")
  func expressions() throws {
    let function: [(String, [String: Any])] =
      [
        (
          "NSFunctionExpression",
          ["NSExpressionType": 4, "@NSOperand": 8, "@NSSelectorName": 9, "@NSArguments": 10]
        )
      ] + Self.keyPath("pages", first: 2) + [
        ("NSConstantValueExpression", ["NSExpressionType": 0, "@NSConstantValueClassName": 11]), Self.text("count:"),
        ("NSArray", ["NS.objects": [2]]), Self.text("_NSPredicateUtilities"),
      ]
    #expect(
      try Self.decode(function) == NSExpression(forFunction: "count:", arguments: [NSExpression(forKeyPath: "pages")]))
    var variable = Self.keyPath("alias", first: 1)
    variable[0].1["NSExpressionType"] = 4
    variable[1] = ("NSVariableExpression", ["NSExpressionType": 2, "@NSVariable": 7])
    variable[2] = Self.text("valueForKeyPath:")
    #expect(try Self.decode(variable + [Self.text("FETCH_SOURCE")]) == NSExpression(format: "$FETCH_SOURCE.alias"))
  }

  @Test("Sort descriptors and compounds as Apple's archives have them")
  func others() throws {
    let descriptor: [(String, [String: Any])] = [
      ("NSSortDescriptor", ["@NSKey": 2, "@NSSelector": 3, "NSAscending": true, "NSReverseNullOrder": false]),
      Self.text("rating"), Self.text("compare:"),
    ]
    #expect(try Self.decode(descriptor) == NSSortDescriptor(key: "rating", ascending: true))
    let compound: [(String, [String: Any])] = [
      ("NSCompoundPredicate", ["NSCompoundPredicateType": 2, "@NSSubpredicates": 2]),
      ("NSArray", ["NS.objects": [3, 4]]), ("NSTruePredicate", [:]), ("NSFalsePredicate", [:]),
    ]
    #expect(try Self.decode(compound) == NSPredicate(format: "TRUEPREDICATE OR FALSEPREDICATE"))
  }

  @Test("Classes and keys are those of Apple's archives")
  func written() throws {
    let predicate = NSPredicate(
      format: "name CONTAINS[c] 'x' AND $x.a.b == 1 AND SUBQUERY(list, $e, $e > 1.5).@count > 0")
    let data = try NSKeyedArchiver.archivedData(withRootObject: predicate, requiringSecureCoding: true)
    let archive = try EditableArchive(data)
    for case let type as [String: Any] in archive.objects {
      guard let name = type["$classname"] as? String, let classes = type["$classes"] as? [String] else { continue }
      #expect(name.hasPrefix("NS") && !name.contains(".") && classes.last == "NSObject", "\(classes)")
    }
    let paths = archive.objects.indices.filter { archive.className($0) == "NSKeyPathExpression" }
    let types = paths.compactMap { (archive.objects[$0] as? [String: Any])?["NSExpressionType"] as? Int }
    #expect(types.sorted() == [3, 3, 4, 4])
    let type = archive.objects.lazy.compactMap { $0 as? [String: Any] }.first {
      $0["$classname"] as? String == "NSKeyPathExpression"
    }
    let lineage = ["NSKeyPathExpression", "NSFunctionExpression", "NSExpression", "NSObject"]
    #expect(type?["$classes"] as? [String] == lineage)
  }

  @Test("Archives that name classes of this library decode too")
  func ownNames() throws {
    let predicate = NSPredicate(format: "$x.name BEGINSWITH 'a' OR TRUEPREDICATE OR price > %@", Decimal(1.5))
    let data = try NSKeyedArchiver.archivedData(withRootObject: predicate, requiringSecureCoding: true)
    var archive = try EditableArchive(data)
    for (index, object) in archive.objects.enumerated() {
      guard let type = object as? [String: Any], let name = type["$classname"] as? String else { continue }
      let own: String? =
        switch name {
        case "NSTruePredicate": "TruePredicate"
        case "NSKeyPathSpecifierExpression": "KeyPathSpecifier"
        case "NSDecimalNumberPlaceholder": "ArchivedDecimal"
        case _ where name.hasSuffix("Operator"): "PredicateOperator"
        case _ where name.hasSuffix("Expression"): "NSExpression"
        default: nil
        }
      guard let own = own.map({ "OpenCocoaFoundation." + $0 }) else { continue }
      archive.objects[index] = ["$classname": own, "$classes": [own, "NSObject"]] as [String: Any]
    }
    #expect(try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPredicate.self, from: try archive.data()) == predicate)
  }

  // MARK: Compiled models

  /// Compiled models and mappings of published applications, which lie beside the package or its worktrees.
  private static let models: [URL] = {
    let package = URL(fileURLWithPath: #filePath).appendingPathComponent("../../..").standardizedFileURL
    let folders = ["..", "../.."].map { package.appendingPathComponent("\($0)/shared/corpus").standardizedFileURL }
    guard let corpus = folders.first(where: { FileManager.default.fileExists(atPath: $0.path) }) else { return [] }
    let names = FileManager.default.enumerator(atPath: corpus.path)?.compactMap { $0 as? String } ?? []
    return names.filter { $0.hasSuffix(".mom") || $0.hasSuffix(".cdm") }.sorted().map(corpus.appendingPathComponent)
  }()

  @Test("The predicates in compiled models decode", .enabled(if: !models.isEmpty, "the corpus is not there"))
  func corpus() throws {
    let kinds = ["Predicate", "Expression", "SortDescriptor"]
    let classes: [AnyClass] = [NSPredicate.self, NSExpression.self, NSSortDescriptor.self]
    var texts: Set<String> = []
    for model in Self.models {
      let archive = try EditableArchive(try Data(contentsOf: model))
      for index in archive.objects.indices {
        guard let name = archive.className(index), kinds.contains(where: name.hasSuffix) else { continue }
        let decoded = try NSKeyedUnarchiver.unarchivedObject(ofClasses: classes, from: try archive.data(root: index))
        texts.insert((decoded as? NSObject)?.description ?? "nothing")
      }
    }
    #expect(!texts.contains("nothing") && texts.count > 20, "\(texts.sorted())")
  }
}

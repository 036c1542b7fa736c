import CocoaFoundation
import Foundation
import Testing

@Suite("Damaged archives")
struct DamagedArchiveTests {
  private static func archive(_ format: String) throws -> EditableArchive {
    let data = try NSKeyedArchiver.archivedData(
      withRootObject: NSPredicate(format: format), requiringSecureCoding: true)
    return try EditableArchive(data)
  }

  /// Sets a field of the first object of a class, and gives what is decoded then.
  private static func decode(
    _ format: String, setting key: String, of name: String, to value: Any?
  ) throws -> NSPredicate? {
    var archive = try archive(format)
    let index = try #require(archive.objects.indices.first { archive.className($0) == name })
    var object = archive.objects[index] as? [String: Any] ?? [:]
    object[key] = value
    archive.objects[index] = object
    return try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPredicate.self, from: try archive.data())
  }

  private static func expectRefusal(
    _ format: String, _ key: String, of name: String, _ value: Any?, location: SourceLocation = #_sourceLocation
  ) {
    let error = #expect(throws: CocoaError.self, sourceLocation: location) {
      _ = try decode(format, setting: key, of: name, to: value)
    }
    #expect(error?.code == .coderReadCorrupt, sourceLocation: location)
  }

  @Test("What is missing, of another type or not known is an error")
  func fields() {
    let format = "name BEGINSWITH[c] 'x' AND sum(list) / 2 > 3 AND date > $date"
    Self.expectRefusal(format, "NSOperatorType", of: "NSSubstringPredicateOperator", 77)
    Self.expectRefusal(format, "NSOperatorType", of: "NSSubstringPredicateOperator", -1)
    Self.expectRefusal(format, "NSOperatorType", of: "NSSubstringPredicateOperator", EditableArchive.reference(0))
    Self.expectRefusal(format, "NSFlags", of: "NSSubstringPredicateOperator", 1 << 20)
    Self.expectRefusal(format, "NSModifier", of: "NSSubstringPredicateOperator", 9)
    Self.expectRefusal(format, "NSLeftExpression", of: "NSComparisonPredicate", nil)
    Self.expectRefusal(format, "NSLeftExpression", of: "NSComparisonPredicate", EditableArchive.reference(0))
    Self.expectRefusal(format, "NSLeftExpression", of: "NSComparisonPredicate", EditableArchive.reference(9999))
    Self.expectRefusal(format, "NSLeftExpression", of: "NSComparisonPredicate", 5)
    Self.expectRefusal(format, "NSSelectorName", of: "NSFunctionExpression", nil)
    Self.expectRefusal(format, "NSExpressionType", of: "NSFunctionExpression", 99)
    Self.expectRefusal(format, "NSExpressionType", of: "NSFunctionExpression", nil)
    Self.expectRefusal(format, "NSSubpredicates", of: "NSCompoundPredicate", nil)
    Self.expectRefusal(format, "NSCompoundPredicateType", of: "NSCompoundPredicate", 5)
    Self.expectRefusal(format, "NSCompoundPredicateType", of: "NSCompoundPredicate", 0)
    Self.expectRefusal(format, "NSVariable", of: "NSVariableExpression", EditableArchive.reference(2))
  }

  @Test("Functions that are not known, and classes that no predicate has, are errors")
  func names() throws {
    for (old, new) in [
      ("sum:", "system:"), ("sum:", "add:to:"), ("_NSPredicateUtilities", "NSTask"),
      ("valueForKey:", "performSelector:"),
    ] {
      var archive = try Self.archive("sum(list) > 3")
      let index = try #require(archive.objects.firstIndex { $0 as? String == old })
      archive.objects[index] = new
      #expect(throws: CocoaError.self) {
        _ = try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPredicate.self, from: try archive.data())
      }
    }
    for name in ["NSURLRequest", "NSFileManager", "NoSuchClass", "NSBlockExpression", "NSCustomPredicateOperator"] {
      var archive = try Self.archive("list == 3")
      let index = try #require(archive.objects.indices.first { archive.className($0) == "NSConstantValueExpression" })
      archive.objects.append(["$classname": name, "$classes": [name, "NSObject"]] as [String: Any])
      var object = archive.objects[index] as? [String: Any] ?? [:]
      object["$class"] = EditableArchive.reference(archive.objects.count - 1)
      archive.objects[index] = object
      #expect(throws: CocoaError.self) {
        _ = try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPredicate.self, from: try archive.data())
      }
    }
  }

  @Test("Patterns that are none, and selectors that cannot sort, are errors")
  func values() throws {
    var archive = try Self.archive("name MATCHES '[a-z]'")
    archive.objects[try #require(archive.objects.firstIndex { $0 as? String == "[a-z]" })] = "("
    #expect(throws: CocoaError.self) {
      _ = try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPredicate.self, from: try archive.data())
    }
    let descriptor = NSSortDescriptor(key: "a", ascending: true)
    archive = try EditableArchive(
      try NSKeyedArchiver.archivedData(withRootObject: descriptor, requiringSecureCoding: true))
    archive.objects[try #require(archive.objects.firstIndex { $0 as? String == "compare:" })] = "removeFromSuperview"
    #expect(throws: CocoaError.self) {
      _ = try NSKeyedUnarchiver.unarchivedObject(ofClass: NSSortDescriptor.self, from: try archive.data())
    }
  }

  @Test("A predicate that contains itself is an error, and so are an array and a dictionary that do")
  func cycles() throws {
    Self.expectRefusal("NOT a == 1", "NSSubpredicates", of: "NSCompoundPredicate", EditableArchive.reference(1))
    Self.expectRefusal("a.b == 1", "NSOperand", of: "NSKeyPathExpression", EditableArchive.reference(1))
    for name in ["NSArray", "NSSet", "NSDictionary"] {
      var archive = try Self.archive("a == 1")
      let constant = try #require(
        archive.objects.indices.first { archive.className($0) == "NSConstantValueExpression" })
      let here = archive.objects.count
      let this = [EditableArchive.reference(here)]
      archive.objects.append(["$class": EditableArchive.reference(here + 1), "NS.objects": this, "NS.keys": this])
      archive.objects.append(["$classname": name, "$classes": [name, "NSObject"]] as [String: Any])
      var object = archive.objects[constant] as? [String: Any] ?? [:]
      object["NSConstantValue"] = this[0]
      archive.objects[constant] = object
      #expect(throws: CocoaError.self) {
        _ = try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPredicate.self, from: try archive.data())
      }
    }
  }

  @Test("What the parser takes comes back; what is nested more deeply, or shared too often, is an error")
  func depth() throws {
    let deep = String(repeating: "NOT ", count: 190) + "a.b == 1"
    #expect(try archived(NSPredicate(format: deep))?.description == NSPredicate(format: deep).description)
    let long = "a" + String(repeating: " + b", count: 400) + " == 1"
    #expect(try archived(NSPredicate(format: long))?.description == NSPredicate(format: long).description)
    var predicate = NSPredicate(format: "a == 1")
    for _ in 0..<1_700 { predicate = NSCompoundPredicate(notPredicateWithSubpredicate: predicate) }
    #expect(throws: CocoaError.self) { _ = try archived(predicate) }

    // 2 to the power of 60 comparisons, of 60 objects.
    var objects: [Any] = ["$null"]
    for level in 1...60 {
      let parts = [EditableArchive.reference(2 * level + 1), EditableArchive.reference(2 * level + 1)]
      objects.append([
        "$class": EditableArchive.reference(122), "NSCompoundPredicateType": 1,
        "NSSubpredicates": EditableArchive.reference(2 * level),
      ])
      objects.append(["$class": EditableArchive.reference(123), "NS.objects": parts])
    }
    objects.append(["$class": EditableArchive.reference(124)])
    for name in ["NSCompoundPredicate", "NSArray", "NSTruePredicate"] {
      objects.append(["$classname": name, "$classes": [name, "NSObject"]] as [String: Any])
    }
    #expect(throws: CocoaError.self) {
      _ = try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPredicate.self, from: try EditableArchive(objects).data())
    }
  }

  @Test("No damage stops the program")
  func mutations() throws {
    var random = SeededGenerator(for: "Damaged archives")
    var generator = PredicateGenerator(random: random)
    var outcomes = (decoded: 0, refused: 0)
    for _ in 0..<200 * Soak.factor {
      let data = try NSKeyedArchiver.archivedData(withRootObject: generator.predicate(3), requiringSecureCoding: true)
      var archive = try EditableArchive(data)
      for _ in 0..<Int.random(in: 1...2, using: &random) { damage(&archive, &random) }
      // Foundation itself stops the program for a root of a class that was not asked for.
      guard let name = archive.className(1), name.hasSuffix("Predicate"), name != "NSPredicate" else { continue }
      if let decoded = try? NSKeyedUnarchiver.unarchivedObject(ofClass: NSPredicate.self, from: try archive.data()) {
        outcomes.decoded += 1
        _ = decoded.description
        _ = try NSKeyedArchiver.archivedData(withRootObject: decoded, requiringSecureCoding: true)
      } else {
        outcomes.refused += 1
      }
    }
    #expect(outcomes.decoded > 0 && outcomes.refused > 0, "SEED=\(random.seed): \(outcomes)")
  }

  private func damage(_ archive: inout EditableArchive, _ random: inout SeededGenerator) {
    let index = Int.random(in: 1..<archive.objects.count, using: &random)
    guard var object = archive.objects[index] as? [String: Any],
      let key = object.keys.sorted().randomElement(using: &random)
    else {
      archive.objects[index] = value(&random, archive.objects.count)
      return
    }
    switch Int.random(in: 0..<5, using: &random) {
    case 0: object[key] = nil
    case 1: object["$class"] = EditableArchive.reference(Int.random(in: 0..<archive.objects.count, using: &random))
    case 2:
      if key == "$classname" {
        let names = [
          "NSArray", "NSDate", "NSData", "NSUUID", "NSURL", "NSDecimalNumber", "NSExpression", "NSDictionary",
        ]
        object[key] = names.randomElement(using: &random)
      } else {
        object[key] = value(&random, archive.objects.count)
      }
    default: object[key] = value(&random, archive.objects.count)
    }
    archive.objects[index] = object
  }

  private func value(_ random: inout SeededGenerator, _ count: Int) -> Any {
    switch Int.random(in: 0..<10, using: &random) {
    case 0: Int.random(in: -2...120, using: &random)
    case 1: ["", "NSArray", "sum:", "x", "valueForKey:"].randomElement(using: &random) ?? ""
    case 2: [EditableArchive.reference(Int.random(in: 0...count, using: &random))]
    case 3: Data([1, 2, 3])
    case 4: 1e300
    case 5: ["a": 1]
    default: EditableArchive.reference(Int.random(in: 0...count, using: &random))
    }
  }
}

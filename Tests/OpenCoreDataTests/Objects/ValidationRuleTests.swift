import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// The limits of attributes: what a save, a call and the limit's own predicate say.
@Suite struct ValidationRuleTests {
  struct Rule: Sendable, CustomTestStringConvertible {
    let type: NSAttributeType
    let limits: AttributeLimits
    nonisolated(unsafe) let valid: [Any]
    nonisolated(unsafe) let invalid: [(value: Any, code: Int)]
    var text = ""
    var testDescription: String { "\(type) \(text)" }
  }

  private static func number(_ minimum: Decimal?, _ maximum: Decimal?) -> AttributeLimits {
    AttributeLimits(minimum: minimum, maximum: maximum)
  }

  private static let tenth = Decimal(string: "0.1")
  private static func date(_ seconds: Double) -> Date { Date(timeIntervalSinceReferenceDate: seconds) }

  static let rules = [
    Rule(
      type: .integer32AttributeType, limits: number(-3, 10), valid: [-3, 0, 10],
      invalid: [(11, 1610), (-4, 1620)], text: "is too large."),
    Rule(
      type: .integer64AttributeType, limits: number(nil, Decimal(Int64.max) - 1), valid: [Int64.max - 1, Int64.min],
      invalid: [(Int64.max, 1610)], text: "is too large."),
    Rule(
      type: .doubleAttributeType, limits: number(-1, tenth), valid: [0.1, -1.0],
      invalid: [(0.11, 1610), (1e300, 1610), (Double.infinity, 1610), (-1e300, 1620), (Double.nan, 1610)],
      text: "is too large."),
    Rule(
      type: .doubleAttributeType, limits: number(0, nil), valid: [0.0, 1e300],
      invalid: [(-0.5, 1620), (-Double.infinity, 1620), (Double.nan, 1620)], text: "is too small."),
    Rule(
      type: .floatAttributeType, limits: number(nil, tenth), valid: [Float(0.1)], invalid: [(Float(0.2), 1610)],
      text: "is too large."),
    Rule(
      type: .decimalAttributeType, limits: number(0, tenth), valid: [Decimal(string: "0.1") ?? 0],
      invalid: [(Decimal(string: "0.11") ?? 0, 1610), (Decimal(-1), 1620), (Decimal.nan, 1610)],
      text: "is too large."),
    Rule(
      type: .dateAttributeType, limits: AttributeLimits(earliest: date(0), latest: date(100)),
      valid: [date(0), date(100)], invalid: [(date(101), 1630), (date(-1), 1640), (date(.nan), 1650)],
      text: "is too late."),
    Rule(
      type: .dateAttributeType, limits: AttributeLimits(earliest: date(0)), valid: [date(1e10)],
      invalid: [(date(-1), 1640)], text: "is too soon."),
    Rule(
      type: .stringAttributeType, limits: number(2, 4), valid: ["ab", "abcd", "👍🏽", "e\u{301}e\u{301}"],
      invalid: [("abcde", 1660), ("a", 1670), ("", 1670), ("👍🏽!", 1660)], text: "is too long."),
    Rule(
      type: .stringAttributeType, limits: AttributeLimits(pattern: "[a-z]+|0"), valid: ["abc", "0"],
      invalid: [("abc\n", 1680), ("0a", 1680), ("", 1680), ("A", 1680)], text: "does not match its pattern."),
    Rule(
      type: .stringAttributeType, limits: AttributeLimits(pattern: "("), valid: [], invalid: [("(", 1680)],
      text: "does not match its pattern."),
  ]

  private func thing(_ store: TestStore, _ rule: Rule, _ body: (NSManagedObjectContext, NSManagedObject) throws -> Void)
    throws
  {
    let attribute = TestModel.attribute("value", rule.type)
    attribute.limits = rule.limits
    let model = NSManagedObjectModel()
    model.entities = [TestModel.entity("Thing", [attribute, TestModel.attribute("other", .stringAttributeType)])]
    try store.coordinator(model).inContext { try body($0, $0.make("Thing", ["other": "x"])) }
  }

  @Test(arguments: rules, TestStore.all) func limits(_ rule: Rule, _ store: TestStore) throws {
    try thing(store, rule) { context, thing in
      for (index, (value, code)) in rule.invalid.enumerated() {
        let called = #expect(throws: NSError.self) { try thing.validateValue(value, forKey: "value") }
        thing.setValue(value, forKey: "value")
        let saved = #expect(throws: NSError.self) { try context.save() }
        for error in [called, saved] {
          #expect(error?.code == code && error?.domain == NSCocoaErrorDomain, "\(value) \(error?.code ?? 0)")
          #expect(error?.userInfo[NSValidationKeyErrorKey] as? String == "value")
          #expect(error?.userInfo[NSValidationObjectErrorKey] as? NSManagedObject === thing)
          #expect(error?.description.contains("\(code)") == true)
          if code != 1650 {
            #expect("\(error?.userInfo[NSValidationValueErrorKey] ?? "")" == "\(thing.value(forKey: "value") ?? "")")
            #expect(error?.userInfo[NSValidationPredicateErrorKey] is NSPredicate)
          }
          if index == 0 { #expect(error?.localizedDescription == "value \(rule.text)") }
        }
        #expect(thing.isInserted && context.hasChanges)
      }
      for value in rule.valid + [NSNull()] {
        try thing.validateValue(value, forKey: "value")
        thing.setValue(value, forKey: "value")
        try context.save()
      }
    }
  }

  /// A limit is a predicate, too; both have to say the same of any value.
  @Test(arguments: TestStore.all) func limitsAndTheirPredicates(_ store: TestStore) throws {
    var random = SeededGenerator(for: "limits and their predicates")
    func one<Element>(of elements: [Element]) throws -> Element {
      try #require(elements.randomElement(using: &random))
    }
    for _ in 0..<20 * Soak.factor {
      let type: NSAttributeType = try one(of: [
        .integer64AttributeType, .doubleAttributeType, .decimalAttributeType, .stringAttributeType,
      ])
      var limits = AttributeLimits()
      limits.minimum = try one(of: [nil, Decimal(Int.random(in: -3...3, using: &random))])
      limits.maximum = try one(of: [nil, Decimal(Int.random(in: -3...6, using: &random))])
      if type == .stringAttributeType { limits.pattern = try one(of: [nil, "a*b?"]) }
      try thing(store, Rule(type: type, limits: limits, valid: [], invalid: [])) { _, thing in
        let property = try #require(thing.entity.attributesByName["value"])
        for _ in 0..<30 {
          let number = Int.random(in: -10...16, using: &random)
          let value: Any =
            switch type {
            case .integer64AttributeType: number
            case .doubleAttributeType: Double(number) / 2
            case .decimalAttributeType: Decimal(number) / 2
            default: String(try (0..<abs(number) / 2).map { _ in try one(of: ["a", "a", "b"]) })
            }
          thing.setValue(value, forKey: "value")
          let broken = zip(property.validationPredicates, property.validationWarnings)
            .filter { !$0.0.evaluate(with: thing.value(forKey: "value")) }.map { ($0.1 as? NSNumber)?.intValue }
          var code: Int?
          do { try thing.validateForInsert() } catch { code = (error as NSError).code }
          #expect((code == nil) == broken.isEmpty && (code == nil || broken.contains(code)), "\(limits) \(value)")
        }
      }
    }
  }

  @Test(arguments: TestStore.all) func whatIsNoNumberIsMissing(_ store: TestStore) throws {
    let model = NSManagedObjectModel()
    model.entities = [
      TestModel.entity(
        "Thing",
        [
          TestModel.attribute("a", .doubleAttributeType, optional: false),
          TestModel.attribute("b", .decimalAttributeType, optional: false),
          TestModel.attribute("c", .doubleAttributeType),
        ])
    ]
    try store.coordinator(model).inContext { context in
      let thing = context.make("Thing", ["a": Double.nan, "b": Decimal.nan, "c": Double.nan])
      let error = #expect(throws: CocoaError.self) { try context.save() }
      let details = error?.userInfo[NSDetailedErrorsKey] as? [NSError]
      #expect(details?.map(\.code) == [1570, 1570])
      thing.setValue(0, forKey: "a")
      thing.setValue(0, forKey: "b")
      try context.save()
    }
  }
}

import CoreData
import Testing

@testable import OpenCocoaFoundation
@_spi(Store) @testable import OpenCoreData

/// Objects of this class are evaluated by the general evaluator, since the class has a `value(forKey:)` of its own.
final class GenerallyEvaluatedItem: NSManagedObject {
  override func value(forKey key: String) -> Any? { super.value(forKey: key) }
}

/// A class whose `value(forKey:)` and custom accessor give other values than the model.
final class ShoutingItem: NSManagedObject {
  override func value(forKey key: String) -> Any? {
    key == "text" ? (super.value(forKey: key) as? String)?.uppercased() : super.value(forKey: key)
  }
}

final class ExposedItem: NSManagedObject {
  var loud: String? { (value(forKey: "text") as? String).map { "<\($0)>" } }

  static let registration: Void = _registerClassMembers {
    [_ClassMember(ExposedItem.self, "text", \ExposedItem.loud, isExposed: true)]
  }
}

/// What a predicate answers that is compiled for a class is what the general evaluator answers.
@Suite(.timeLimit(.minutes(60))) struct CompiledPredicateTests {
  private static func context(_ type: NSManagedObject.Type = NSManagedObject.self) throws -> NSManagedObjectContext {
    let model = AtomicModel.make()
    for name in ["Item", "SpecialItem"] { model.entitiesByName[name]?.managedObjectClassName = NSStringFromClass(type) }
    let item = model.entitiesByName["Item"]
    let transient = TestModel.attribute("passing", .integer64AttributeType)
    transient.isTransient = true
    item?.properties.append(transient)
    return TestModel.context(try TestStore.sqlite.coordinator(model))
  }

  /// The same objects in both contexts, some of them changed, some of them new, and some faults.
  private static func fill(_ context: NSManagedObjectContext, seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed), serial: Int64 = 0
    for _ in 0..<4 { try AtomicModel.change(context, &generator, serial: &serial) }
    for (place, object) in try AtomicModel.objects("Item", context).enumerated() where place % 3 == 0 {
      object.setValue(place % 5, forKey: "int16")
      object.setValue(Double(place % 4) / 2, forKey: "double")
      object.setValue(["a", "B", "ä", "3"][place % 4], forKey: "text")
    }
    try context.save()
    if generator.next() & 1 == 0 { context.reset() }
    try AtomicModel.change(context, &generator, serial: &serial)
    let objects = try AtomicModel.objects("Item", context)
    for object in objects where serial % 2 == 0 || object.hasChanges {
      object.setValue(AtomicModel.serial(object) % 3, forKey: "passing")
    }
    if generator.next() & 1 == 0 {
      for object in objects where !object.hasChanges { context.refresh(object, mergeChanges: false) }
    }
  }

  /// The answer or the error, without what two twins have not in common: addresses, classes, the store's name, and the order of
  /// sets.
  private static func outcome(_ body: () throws -> Bool) -> String {
    do { return "\(try body())" } catch {
      let own = "NSManagedObject|GenerallyEvaluatedItem|0x[0-9a-f]+|x-coredata://[^>]*"
      return String("\(error)".replacingOccurrences(of: own, with: "", options: .regularExpression).sorted())
    }
  }

  @Test func aNilInsideOfAnOptionalIsNoObject() throws {
    let context = try Self.context()
    context.performAndWait {
      let item = context.make("Item", ["int16": 3])
      let predicate = NSPredicate(format: "int16 == 3"), order = NSSortDescriptor(key: "int16", ascending: true)
      let values: [NSManagedObject?] = [item, nil, item]
      #expect(values.map { predicate.evaluate(with: $0 as Any) } == [true, false, true])
      #expect(
        values.map { order.compare($0 as Any, to: values[0] as Any) } == [
          .orderedSame, .orderedAscending, .orderedSame,
        ])
    }
  }

  @Test func constantsThatCanChangeAreReadAtEachEvaluation() throws {
    let context = try Self.context()
    context.performAndWait {
      let item = context.make("Item", ["text": "a"])
      for format in ["%@ == text", "text IN {%@}", "text BETWEEN {%@, 'a'}"] {
        let text = NSMutableString(string: "a"), predicate = NSPredicate(format: format, argumentArray: [text])
        #expect(predicate.evaluate(with: item), "\(format)")
        text.setString("b")
        #expect(predicate.evaluate(with: ["text": "a"]) == predicate.evaluate(with: item), "\(format)")
      }
    }
  }

  @Test func whatIsCompiledAnswersLikeTheGeneralEvaluator() throws {
    var compiled = 0, asked = 0
    for seed in RandomSeeds.seeds(6) {
      print("compiled predicates: seed \(seed)")
      let contexts = (try Self.context(), try Self.context(GenerallyEvaluatedItem.self))
      try contexts.0.performAndWait { try Self.fill(contexts.0, seed: seed) }
      try contexts.1.performAndWait { try Self.fill(contexts.1, seed: seed) }
      var formats = CompilableFormats(random: SeededGenerator(seed: seed))
      try contexts.0.performAndWait {
        try contexts.1.performAndWait {
          let first = try AtomicModel.objects("Item", contexts.0), second = try AtomicModel.objects("Item", contexts.1)
          #expect(first.map(AtomicModel.serial) == second.map(AtomicModel.serial) && first.count > 3)
          for number in 0..<1500 {
            let format = formats.predicate(Int.random(in: 0...2, using: &formats.random))
            guard let predicate = try? NSPredicate(parsing: format) else { continue }
            for (object, twin) in zip(first, second)
            where AtomicModel.serial(object) % 8 == Int64(number % 8) {
              let expected = Self.outcome { try predicate.evaluateChecked(with: twin) }
              let isFault = object.isFault
              let answer = Self.outcome { try predicate.evaluateChecked(with: object) }
              #expect(answer == expected, "seed \(seed), \(format), \(object), fault: \(isFault)")
              asked += 1
              if (predicate as? OpenCocoaFoundation.NSComparisonPredicate)?.compiledAnswer(for: object) != nil
                || (predicate as? OpenCocoaFoundation.NSCompoundPredicate)?.compiledAnswer(for: object) != nil
              {
                compiled += 1
              }
            }
          }
        }
      }
    }
    print("compiled predicates: \(compiled) of \(asked) answers are compiled")
    #expect(compiled > asked / 4)
  }

  @Test func sortsAgree() throws {
    let keys = [
      "int16", "int64", "flag", "double", "float", "decimal", "text", "date", "uuid", "data", "serial", "passing",
    ]
    let selectors: [Selector] = [
      "compare:", "compare:", "caseInsensitiveCompare:", "localizedCompare:", "localizedCaseInsensitiveCompare:",
      "localizedStandardCompare:",
    ]
    for seed in RandomSeeds.seeds(4) {
      print("sorts by places: seed \(seed)")
      let contexts = (try Self.context(), try Self.context(GenerallyEvaluatedItem.self))
      try contexts.0.performAndWait { try Self.fill(contexts.0, seed: seed) }
      try contexts.1.performAndWait { try Self.fill(contexts.1, seed: seed) }
      var random = SeededGenerator(seed: seed)
      try contexts.0.performAndWait {
        try contexts.1.performAndWait {
          let first = try AtomicModel.objects("Item", contexts.0), second = try AtomicModel.objects("Item", contexts.1)
          for _ in 0..<150 {
            let order = (0..<Int.random(in: 1...3, using: &random)).map { _ in
              let key = keys.randomElement(using: &random)!
              return NSSortDescriptor(
                key: key, ascending: Bool.random(using: &random), selector: selectors.randomElement(using: &random)!)
            }
            let expected = try second.checkedSorted(by: order).map(AtomicModel.serial)
            #expect(try first.checkedSorted(by: order).map(AtomicModel.serial) == expected, "\(seed) \(order)")
            #expect(
              (first as NSArray).sortedArray(using: order).map(AtomicModel.serial) == expected, "\(seed) \(order)")
            let mutable = NSMutableArray(array: first)
            mutable.sort(using: order)
            #expect(mutable.map(AtomicModel.serial) == expected)
            let ordered = NSMutableOrderedSet(array: first)
            ordered.sort(using: order)
            #expect(ordered.array.map(AtomicModel.serial) == expected)
          }
        }
      }
    }
  }

  // MARK: Classes that have their own values

  @Test func overridesAreAsked() throws {
    _ = ExposedItem.registration
    for (type, text) in [(ShoutingItem.self, "AB"), (ExposedItem.self, "<Ab>")] as [(NSManagedObject.Type, String)] {
      let context = try Self.context(type)
      try context.performAndWait {
        let object = context.insert("Item", ["text": "Ab", "int16": 7])
        try context.save()
        let comparison = NSPredicate(format: "text == %@", text)
        #expect(comparison.evaluate(with: object))
        #expect(NSPredicate(format: "text == %@ AND int16 == 7", text).evaluate(with: object))
        #expect(NSPredicate(format: "text IN %@", ["x", text]).evaluate(with: object))
        #expect(!NSPredicate(format: "text == 'Ab'").evaluate(with: object))
        let other = context.insert("Item", ["text": "aa"])
        // "<aa>" and "<Ab>" have the order of their scalars as "AA" and "AB" have.
        let order = NSSortDescriptor(key: "text", ascending: true)
        #expect((order.compare(object, to: other) == .orderedAscending) == (type == ExposedItem.self))
      }
    }
  }

  /// A fault is fired as key-value coding does it, by one statement, and is compared afterwards by its places.
  @Test func faultsAreFired() throws {
    let context = try Self.context()
    try context.performAndWait {
      let object = context.insert("Item", ["int16": 7])
      try context.save()
      context.refresh(object, mergeChanges: false)
      let predicate = NSPredicate(format: "int16 > 5") as? OpenCocoaFoundation.NSComparisonPredicate
      #expect(object.isFault && predicate?.compiledAnswer(for: object) == nil && object.isFault)
      #expect(predicate?.evaluate(with: object) == true && !object.isFault)
      #expect(predicate?.compiledAnswer(for: object) == true)
    }
  }

  // MARK: The cache

  @Test func shapesAreBoundedAndKeepNothingAlive() throws {
    let predicate = NSPredicate(format: "int16 > 5") as! OpenCocoaFoundation.NSComparisonPredicate
    weak var model: NSManagedObjectModel?
    for number in 0..<40 {
      let context = try Self.context()
      context.performAndWait {
        let object = context.insert("Item", ["int16": number])
        #expect(predicate.evaluate(with: object) == (number > 5))
        #expect(predicate.evaluate(with: object) == (number > 5))
      }
      #expect(predicate.compiled.count == min(number + 1, ShapeCache<CompiledTest>.capacity))
      model = context.persistentStoreCoordinator?.managedObjectModel
      #expect(model != nil)
    }
    #expect(model == nil)
  }

  @Test func threadsShareOnePredicate() throws {
    nonisolated(unsafe) let predicates = [
      NSPredicate(format: "int16 > 5 AND text IN {'a', 'b'}"), NSPredicate(format: "int16 + 1 > 6 AND text != 'c'"),
    ]
    nonisolated(unsafe) let order = [NSSortDescriptor(key: "int16", ascending: false)]
    Soak.threads(6) { number in
      let context = try Self.context(number % 3 == 0 ? GenerallyEvaluatedItem.self : NSManagedObject.self)
      try context.performAndWait {
        for place in 0..<60 { context.insert("Item", ["int16": place % 12, "text": ["a", "b", "c"][place % 3]]) }
        try context.save()
        let objects = try context.all("Item")
        for _ in 0..<20 * Soak.factor {
          for predicate in predicates {
            let found = (objects as NSArray).filtered(using: predicate).count
            #expect(
              found
                == objects.count { object in
                  object.value(forKey: "int16") as? Int ?? 0 > 5 && object.value(forKey: "text") as? String != "c"
                })
          }
          let sorted = (objects as NSArray).sortedArray(using: order).map {
            ($0 as? NSManagedObject)?.value(forKey: "int16") as? Int ?? -1
          }
          #expect(sorted == sorted.sorted(by: >))
        }
      }
    }
  }
}

import CoreData
import FuzzSupport
import OpenCocoaFoundation
import Testing

import class OpenCocoaFoundation.NSExpression

@_spi(Store) @testable import OpenCoreData

/// Whatever `NSPredicate(parsing:)` takes is evaluated, or an error: by the evaluator, in stores of every kind, and over
/// changes that are pending.
@Suite("Predicates from outside", .timeLimit(.minutes(60)))
struct PredicateFuzzTests {
  /// A context with some objects that are saved, and some changes that may be pending.
  private static func context(_ store: TestStore, isPending: Bool) throws -> NSManagedObjectContext {
    let context = TestModel.context(try store.coordinator(AtomicModel.make()))
    try context.performAndWait {
      var generator = SeededGenerator(seed: 4)
      var serial: Int64 = 0
      for _ in 0..<3 { try AtomicModel.change(context, &generator, serial: &serial) }
      try context.save()
      if isPending { try AtomicModel.change(context, &generator, serial: &serial) }
    }
    return context
  }

  private static func check(_ format: String, _ step: String, _ body: () throws -> Void) {
    do {
      try EvaluationLimit.run(EvaluationLimit(patternSteps: 200_000), body)
    } catch {
      let error = error as NSError
      #expect(
        error.domain == NSCocoaErrorDomain && error.code == 134060 && !error.localizedDescription.isEmpty,
        "\(step): \(format) gave \(error)")
    }
  }

  private static func fetch(
    _ format: String, _ predicate: NSPredicate, _ context: NSManagedObjectContext, _ step: String
  ) {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
    request.predicate = predicate
    check(format, "fetch \(step)") { _ = try context.fetch(request) }
    check(format, "count \(step)") { _ = try context.count(for: request) }
    let dictionaries = NSFetchRequest<NSDictionary>(entityName: "Item")
    dictionaries.resultType = .dictionaryResultType
    dictionaries.propertiesToFetch = ["int16"]
    dictionaries.predicate = predicate
    check(format, "dictionaries \(step)") { _ = try context.fetch(dictionaries) }
    guard case .comparison(let comparison) = predicate.node else { return }
    let column = NSExpressionDescription()
    (column.name, column.expression) = ("value", comparison.leftExpression)
    dictionaries.predicate = nil
    dictionaries.propertiesToFetch = [column]
    check(format, "column \(step)") { _ = try context.fetch(dictionaries) }
  }

  @Test func whatParsesIsAnsweredOrRefused() throws {
    let contexts = try TestStore.all.flatMap { store in
      [
        (store.name, try Self.context(store, isPending: false)),
        ("\(store.name), pending", try Self.context(store, isPending: true)),
      ]
    }
    let dictionary: [String: Any] = [
      "text": "a", "int16": 3, "children": [["text": "b"], ["text": NSNull()]], "date": Date(),
      "tags": NSSet(array: [1]),
      "decimal": NSDecimalNumber(string: "1.5"), "data": Data([1]),
    ]
    var parsed = 0
    let traces = ProcessInfo.processInfo.environment["FUZZ_TRACE"] != nil
    try FuzzCampaign("predicates from outside", cases: 120).run { seed in
      var formats = RandomFormats(random: SeededGenerator(seed: seed))
      var format = formats.predicate(Int.random(in: 0...3, using: &formats.random))
      if Int.random(in: 0..<3, using: &formats.random) == 0 { format = formats.mutated(format) }
      guard let predicate = try? NSPredicate(parsing: format) else { return }
      parsed += 1
      if traces { FileHandle.standardError.write(Data("FORMAT \(format)\n".utf8)) }
      Self.check(format, "print") { _ = predicate.description }
      for object: Any? in [nil, 1, "x", dictionary, [1, 2], Date(), NSObject()] {
        Self.check(format, "evaluate") { _ = try predicate.evaluateChecked(with: object) }
      }
      for (step, context) in contexts {
        context.performAndWait {
          let objects = NSFetchRequest<NSManagedObject>(entityName: "Item")
          for object in (try? context.fetch(objects))?.prefix(3) ?? [] {
            Self.check(format, "objects \(step)") {
              _ = try predicate.evaluateChecked(with: object, substitutionVariables: ["x": object])
            }
          }
          Self.fetch(format, predicate, context, step)
        }
      }
    }
    #expect(parsed > 0)
  }
}

import CoreData
import Foundation
import OpenCocoaFoundation
import Testing

import class OpenCocoaFoundation.NSComparisonPredicate
import class OpenCocoaFoundation.NSCompoundPredicate
import class OpenCocoaFoundation.NSExpression

@_spi(Store) @testable import OpenCoreData

/// Predicates of thousands of levels are answered or refused, on a thread with a small stack, too.
@Suite(.timeLimit(.minutes(60))) struct DeepPredicateTests {
  /// Runs `body` on a thread of that stack, and waits for it.
  private static func onThread(stack: Int, _ body: @escaping () -> Void) {
    let done = DispatchSemaphore(value: 0)
    nonisolated(unsafe) let body = body
    let thread = Thread {
      body()
      done.signal()
    }
    thread.stackSize = stack
    thread.start()
    done.wait()
  }

  private static func compare(_ expression: NSExpression) -> NSPredicate {
    NSComparisonPredicate(
      leftExpression: expression, rightExpression: NSExpression(forConstantValue: 1), modifier: .direct, type: .equalTo)
  }

  /// Trees of that many levels, of each kind that nests.
  private static func trees(_ levels: Int) -> [(name: String, predicate: NSPredicate)] {
    let leaf = NSExpression(forKeyPath: "int16")
    func nested(_ step: (NSExpression) -> NSExpression) -> NSPredicate {
      compare((0..<levels).reduce(leaf) { expression, _ in step(expression) })
    }
    let comparison = compare(leaf)
    return [
      (
        "arithmetic",
        nested { NSExpression(forFunction: "add:to:", arguments: [$0, NSExpression(forConstantValue: 1)]) }
      ),
      ("functions", nested { NSExpression(forFunction: "abs:", arguments: [$0]) }),
      ("lists", nested { NSExpression(forAggregate: [$0]) }),
      (
        "subqueries",
        nested {
          NSExpression(
            forSubquery: NSExpression(forKeyPath: "children"), usingIteratorVariable: "x", predicate: compare($0))
        }
      ),
      ("choices", nested { NSExpression(forConditional: comparison, trueExpression: $0, falseExpression: leaf) }),
      (
        "negations",
        (0..<levels).reduce(comparison) { part, _ in NSCompoundPredicate(notPredicateWithSubpredicate: part) }
      ),
      (
        "compounds",
        (0..<levels).reduce(comparison) { part, number in
          NSCompoundPredicate(type: number % 2 == 0 ? .and : .or, subpredicates: [part, comparison])
        }
      ),
    ]
  }

  private static func answers(_ name: String, _ body: () throws -> Void) {
    do {
      try body()
    } catch {
      let error = error as NSError
      #expect(error.domain == NSCocoaErrorDomain && error.code == 134060, "\(name): \(error)")
    }
  }

  @Test(arguments: [(600, 512 << 10), (10_000, 512 << 10), (3_000, 8 << 20)])
  func treesOfManyLevels(_ levels: Int, _ stack: Int) throws {
    let stores = try TestStore.all.map { try $0.coordinator(AtomicModel.make()) }
    Self.onThread(stack: stack) {
      let contexts = stores.map { TestModel.context($0) }
      for (name, predicate) in Self.trees(levels) {
        #expect(!predicate.description.isEmpty)
        Self.answers(name) { _ = try predicate.evaluateChecked(with: ["int16": 1, "children": [["int16": 2]]]) }
        Self.answers(name) { _ = try predicate.withSubstitutionVariables(["y": 1]).evaluateChecked(with: ["int16": 1]) }
        for context in contexts {
          context.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
            request.predicate = predicate
            if !context.hasChanges { _ = context.make("Item", ["int16": 1]) }
            Self.answers(name) { _ = try context.fetch(request) }
            Self.answers(name) { _ = try context.count(for: request) }
          }
        }
      }
    }
  }

  private static let formats = {
    let chain = Array(repeating: "+ a", count: 400).joined(separator: " ")
    return [
      String(repeating: "(", count: 190) + "a" + String(repeating: ")", count: 190) + " == 1",
      String(repeating: "(", count: 190) + "a" + String(repeating: " \(chain))", count: 190) + " == 1",
      "(((a \(chain)) \(chain)) + b) == 1",
      String(repeating: "NOT ", count: 190) + "a == 1", String(repeating: "-", count: 10_000) + "a == 1",
      String(repeating: "-", count: 190) + "a == 1",
      String(repeating: "{", count: 190) + String(repeating: "}", count: 190) + " == a",
      String(repeating: "abs(", count: 190) + "a" + String(repeating: ")", count: 190) + " == 1",
      String(repeating: "abs(", count: 10_000) + "a" + String(repeating: ")", count: 10_000) + " == 1",
      String(repeating: "SUBQUERY(a, $x, ", count: 190) + "a == 1" + String(repeating: ").@count == 1", count: 190),
      "a" + String(repeating: "[0]", count: 90) + " == 1", "a == 1" + String(repeating: " AND a == 1", count: 10_000),
    ]
  }()

  @Test(arguments: [512 << 10, 8 << 20]) func formatsOfManyLevels(_ stack: Int) {
    Self.onThread(stack: stack) {
      for format in Self.formats {
        guard let predicate = try? NSPredicate(parsing: format) else { continue }
        #expect(!predicate.description.isEmpty)
        Self.answers(String(format.prefix(40))) { _ = try predicate.evaluateChecked(with: ["a": 1]) }
      }
    }
  }

  /// What a format makes can be archived and read again, on a thread with a small stack, too.
  @Test(arguments: [512 << 10, 8 << 20]) func archivesOfManyLevels(_ stack: Int) {
    Self.onThread(stack: stack) {
      var parsed = 0
      // A small stack may be too small for the parser.
      defer { #expect(parsed >= (stack < 8 << 20 ? 1 : 7)) }
      for format in Self.formats where format.utf8.count < 5_000 {
        guard let predicate = try? NSPredicate(parsing: format) else { continue }
        parsed += 1
        let name = String(format.prefix(40))
        do {
          let archive = try NSKeyedArchiver.archivedData(withRootObject: predicate, requiringSecureCoding: true)
          let ours = try SecureUnarchiver.object(in: archive, of: [NSPredicate.self]) as? NSPredicate
          let foundations = try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPredicate.self, from: archive)
          // All three from the same depth of the stack: what does not fit into the rest of it is left out.
          let (first, second, expected) = (ours?.description, foundations?.description, predicate.description)
          #expect(first == expected, "\(name)")
          #expect(second == expected, "\(name)")
        } catch {
          Issue.record("\(name): \(error)")
        }
      }
    }
  }
}

import CoreData
import Foundation
import OpenCocoaFoundation
import Testing

import class OpenCocoaFoundation.NSExpression

/// Methods that expressions call by their selectors.
@Suite struct CallableMethodTests {
  class Policy: NSObject, OCDCallableByName {
    func shout(_ text: String?) -> String? { text?.uppercased() }
    func sum(_ first: Int, of second: Double) -> Double { Double(first) + second }
    func nothing() {}
    func count(_ values: [String]) -> Int { values.count }

    class var callableMethods: [OCDCallableMethod] {
      [
        OCDCallableMethod("shout:", Policy.shout), OCDCallableMethod("sum:of:", Policy.sum),
        OCDCallableMethod("nothing", Policy.nothing), OCDCallableMethod("count:", Policy.count),
        OCDCallableMethod("all:of:") { (_: Policy, arguments: [Any?]) in arguments.count { $0 != nil } },
      ]
    }
  }

  final class QuietPolicy: Policy {
    override func shout(_ text: String?) -> String? { text?.lowercased() }
    func double(_ number: Int) -> Int { 2 * number }

    override class var callableMethods: [OCDCallableMethod] {
      super.callableMethods + [
        OCDCallableMethod("double:", QuietPolicy.double),
        OCDCallableMethod("count:", arguments: { (_: QuietPolicy, _) in "replaced" }),
      ]
    }
  }

  private func value(_ format: String, _ policy: Any, _ source: [String: Any] = [:]) throws -> Any? {
    try NSExpression(parsing: format).expressionValue(
      with: nil, context: ["entityPolicy": policy, "source": source])
  }

  @Test func argumentsAndResults() throws {
    let policy = Policy()
    #expect(try value("FUNCTION($entityPolicy, 'shout:', $source.x)", policy, ["x": "a"]) as? String == "A")
    #expect(try value("FUNCTION($entityPolicy, 'shout:', $source.x)", policy) == nil)
    #expect(try value("FUNCTION($entityPolicy, 'sum:of:', 2, 1)", policy) as? NSNumber == 3)
    #expect(try value("FUNCTION($entityPolicy, 'nothing')", policy) == nil)
    #expect(try value("FUNCTION($entityPolicy, 'count:', {'a', 'b'})", policy) as? NSNumber == 2)
    #expect(try value("FUNCTION($entityPolicy, 'all:of:', $source.x, 5)", policy) as? NSNumber == 1)
  }

  @Test func subclassesOverrideAddAndReplace() throws {
    let policy = QuietPolicy()
    #expect(try value("FUNCTION($entityPolicy, 'shout:', 'Ab')", policy) as? String == "ab")
    #expect(try value("FUNCTION($entityPolicy, 'double:', 4)", policy) as? NSNumber == 8)
    #expect(try value("FUNCTION($entityPolicy, 'count:', {})", policy) as? String == "replaced")
    #expect(try value("FUNCTION($entityPolicy, 'count:', {})", Policy()) as? NSNumber == 0)
  }

  @Test func theyAreCalledInPredicatesToo() {
    let predicate = NSPredicate(format: "FUNCTION(SELF, 'sum:of:', 1, 1) == 2 AND FUNCTION(SELF, 'shout:', 'x') == 'X'")
    #expect(predicate.evaluate(with: Policy()))
  }

  @Test func anUnknownSelectorStopsTheProgram() async {
    await #expect(processExitsWith: .failure) {
      _ = NSExpression(format: "FUNCTION(SELF, 'double:', 1)").expressionValue(with: Policy(), context: nil)
    }
  }

  @Test func anArgumentOfAnotherTypeStopsTheProgram() async {
    await #expect(processExitsWith: .failure) {
      _ = NSExpression(format: "FUNCTION(SELF, 'sum:of:', 'a', 1)").expressionValue(with: Policy(), context: nil)
    }
  }

  @Test func aSelectorWithOtherColonsStopsTheProgram() async {
    await #expect(processExitsWith: .failure) { _ = OCDCallableMethod("sum:", Policy.sum) }
  }
}

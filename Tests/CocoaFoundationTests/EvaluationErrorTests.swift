import CocoaFoundation
import Foundation
import Testing

/// A predicate from outside that has no answer is an error that names the part.
@Suite struct EvaluationErrorTests {
  private final class Person: NSObject {
    var name = "Ann"
  }

  private final class Keyed: NSObject, NSKeyValueCoding {
    func value(forUndefinedKey key: String) -> Any? { key == "known" ? "x" : nil }
  }

  private final class Base: NSObject, NSKeyValueCoding {
    var name = "Bob"
  }

  @Test(arguments: [
    ("'x'.nothing == 1", "nothing"), ("-'a' == 1", "multiply:by:"), ("CAST('x','Person') == 1", "Person"),
    ("ANY 1 == 2", "ALL or ANY"), ("nothing == 1", "nothing"), ("name.nothing == 1", "nothing"),
    ("$x == 1", "'x'"), ("name BETWEEN name", "BETWEEN"), ("1 CONTAINS SELF", "substring"),
    ("SELF IN now()", "in/contains"), ("SELF BEGINSWITH 'x'", "substring"), ("name MATCHES '(' + name", "add:to:"),
    ("'x' MATCHES lowercase('[')", "pattern"), ("SUBQUERY(1, $x, $x == 1).@count == 1", "subquery"),
    ("1 UNION 2 == 3", "set expression"), ("ANYKEY == 1", "ANYKEY"), ("name.@sum.length == 1", "@sum"),
    ("FETCH(1, 2, NO) == 3", "context"), ("FUNCTION(name, 'a:b:', 1, 2) == 3", "a:b:"),
    ("lowercase(now()) == 'x'", "lowercase:"), ("TRUEPREDICATE AND NOT (1 == 1 AND nothing == 2)", "nothing == 2"),
    ("TERNARY(nothing == 1, 2, 3) == 2", "nothing == 1"), ("name.@nothing == 1", "@nothing"),
    ("{1, 2}.nothing == 1", "nothing"), ("(name)[nothing] == 1", "nothing"),
    ("distanceToLocation:fromLocation:(SELF, SELF) == 1", "latitude"),
  ])
  func errorsNameThePart(_ format: String, _ part: String) throws {
    let predicate = try NSPredicate(parsing: format)
    let error = #expect(throws: OCDEvaluationError.self, "\(format)") { try predicate.evaluateChecked(with: Person()) }
    #expect(error?.description.contains(part) == true, "\(format): \(error as Any)")
    #expect(error?.part != nil, "\(format)")
    let bridged = error as NSError?
    #expect(bridged?.domain == NSCocoaErrorDomain && bridged?.code == 134060)
  }

  @Test func whatHasAnAnswerHasItStill() throws {
    for format in ["name == 'Ann'", "name BEGINSWITH 'A' AND NOT name == 'B'", "$y == 1", "ANY {1, 2} == 2"] {
      #expect(try NSPredicate(parsing: format).evaluateChecked(with: Person(), substitutionVariables: ["y": 1]))
    }
  }

  /// A user's own answer stays; the framework's own stop is an error.
  @Test func undefinedKeys() throws {
    #expect(try NSPredicate(parsing: "known == 'x' AND unknown == nil").evaluateChecked(with: Keyed()))
    #expect(try NSPredicate(parsing: "name == 'Bob'").evaluateChecked(with: Base()))
    for format in ["nothing == 1", "self.nothing == 1", "ANY {SELF, SELF}.nothing == 1"] {
      let predicate = try NSPredicate(parsing: format)
      #expect(throws: OCDEvaluationError.self) { try predicate.evaluateChecked(with: Base()) }
    }
  }

  /// A subclass that leaves evaluation to the framework's class.
  private final class Custom: NSComparisonPredicate {}

  @Test func subclassesThatLeaveItToTheFramework() {
    let custom = Custom(
      leftExpression: NSExpression(forKeyPath: "nothing"), rightExpression: NSExpression(forConstantValue: 1),
      modifier: .direct, type: .equalTo)
    for predicate in [custom, NSCompoundPredicate(notPredicateWithSubpredicate: custom)] {
      #expect(throws: OCDEvaluationError.self) { try predicate.evaluateChecked(with: Base()) }
    }
    #expect(throws: OCDEvaluationError.self) { try NSExpression(forKeyPath: "nothing").checkedValue(with: Base()) }
  }

  @Test func theWayThatCannotThrowStopsWithTheSameText() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = NSPredicate(format: "nothing == 1").evaluate(with: EvaluationErrorTests.Base())
    }
    #expect(said(result, "is not key value coding-compliant for the key nothing"))
  }

  @Test func sorting() throws {
    let people = [Base(), Base()]
    let nothing = NSSortDescriptor(key: "nothing", ascending: true)
    #expect(throws: OCDEvaluationError.self) { try people.checkedSorted(by: [nothing]) }
    let unknown = NSSortDescriptor(key: "name", ascending: true, selector: "unknownCompare:")
    #expect(throws: OCDEvaluationError.self) { try people.checkedSorted(by: [unknown]) }
    #expect(try people.checkedSorted(by: [NSSortDescriptor(key: "name", ascending: true)]).count == 2)
  }
}

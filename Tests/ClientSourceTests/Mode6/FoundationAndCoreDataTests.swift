import CoreData
import Foundation
import Testing

// What a client may write that imports Foundation and CoreData. The target treats warnings as errors: that this compiles
// is most of the test.

/// Foundation on Linux has classes of these names; a client means CoreData's, in every position.
@Suite struct FoundationAndCoreDataTests {
  private struct Filter {
    var predicate: NSPredicate
    var expression: NSExpression
    var comparison: NSComparisonPredicate
    var compound: NSCompoundPredicate
    var order: [NSSortDescriptor]
  }

  private func left(_ comparison: NSComparisonPredicate) -> NSExpression { comparison.leftExpression }

  private class Person: NSObject, NSKeyValueCoding {
    let name: String
    init(_ name: String) { self.name = name }
    func value(forKey key: String) -> Any? { key == "name" ? name : nil }
    func setValue(_ value: Any?, forKey key: String) {}
  }

  @Test func expressionsAndPredicates() throws {
    let expression: NSExpression = NSExpression(forKeyPath: "name")
    let constant = NSExpression(forConstantValue: "Ann")
    let comparison = NSComparisonPredicate(
      leftExpression: expression, rightExpression: constant, modifier: .direct, type: .equalTo,
      options: [.caseInsensitive])
    let compound = NSCompoundPredicate(andPredicateWithSubpredicates: [comparison, NSPredicate(value: true)])
    let filter = Filter(
      predicate: NSPredicate(format: "name BEGINSWITH[c] %@", "a"), expression: expression, comparison: comparison,
      compound: compound, order: [NSSortDescriptor(key: "name", ascending: true)])
    let ann = Person("ANN")
    #expect(filter.predicate.evaluate(with: ann))
    #expect(filter.compound.evaluate(with: ann))
    #expect(left(filter.comparison).keyPath == "name")
    #expect(filter.compound.compoundPredicateType == .and)
    #expect(filter.comparison.predicateOperatorType == NSComparisonPredicate.Operator.equalTo)
    let qualified: CoreData.NSExpression = expression
    #expect(qualified === expression)
    #expect(filter.expression.isAboutAName)
    #expect(filter.order[0].key == "name" && filter.order[0].ascending)
    let nested: NSPredicate = NSCompoundPredicate(notPredicateWithSubpredicate: compound)
    #expect(!nested.evaluate(with: ann))
  }

  @Test func valuesAsArguments() throws {
    let id = UUID(), date = Date(), data = Data([1]), link = URL(fileURLWithPath: "/")
    // The idiom of much published code.
    let arguments: [CVarArg] = [
      id as CVarArg, date as CVarArg, data as CVarArg, link as CVarArg, Decimal(1) as CVarArg, [1, 2] as CVarArg,
      Set([1]) as CVarArg, NSNumber(value: 1) as CVarArg,
    ]
    #expect(arguments.count == 8)
    let byID = NSPredicate(format: "id == %@", id as CVarArg)
    #expect(byID.evaluate(with: ["id": id] as NSDictionary))
    #expect(NSPredicate(format: "%K == %@", "id", id as CVarArg).evaluate(with: ["id": id] as NSDictionary))
    #expect(NSPredicate(format: "day >= %@", date as CVarArg).evaluate(with: ["day": date] as NSDictionary))
    #expect(NSPredicate(format: "day >= %@", date as NSDate).evaluate(with: ["day": date] as NSDictionary))
    #expect(NSPredicate(format: "n IN %@", [1, 2] as CVarArg).evaluate(with: ["n": 2] as NSDictionary))
    #expect(NSPredicate(format: "n IN %@", [1, 2]).evaluate(with: ["n": 2] as NSDictionary))
    #expect(NSPredicate(format: "n == %d AND b == YES", 3).evaluate(with: ["n": 3, "b": true] as NSDictionary))
    #expect(NSPredicate(format: "n == %@", argumentArray: [4]).evaluate(with: ["n": 4] as NSDictionary))
    #expect(String(format: "%d of %@", 1, "two" as NSString) == "1 of two")
  }

  @Test func sortDescriptorsOfBothKinds() {
    let people = [Person("b"), Person("a")]
    let sorted = (people as NSArray).sortedArray(using: [NSSortDescriptor(key: "name", ascending: true)])
    #expect((sorted.first as? Person)?.name == "a")
    let numbers = [3, 1, 2].sorted(using: SortDescriptor(\Int.self))
    #expect(numbers == [1, 2, 3])
  }
}

extension NSExpression {
  fileprivate var isAboutAName: Bool { expressionType == .keyPath && keyPath == "name" }
}

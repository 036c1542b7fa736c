import CocoaFoundation
import Foundation
import Testing

@Suite("Expressions")
struct ExpressionTests {
  @Test(
    "A function gives its value",
    arguments: [
      ("sum({1, 2, 3})", 6), ("sum({1, 2.5})", 3.5), ("sum({})", 0), ("count({1, 2})", 2), ("min({3, 1, 2})", 1),
      ("max({3, 1, 2})", 3), ("average({1, 2, 2, 3, 4, 7, 9})", 4), ("median({1, 2, 2, 3, 4, 7, 9})", 3),
      ("median({1, 2, 3, 4})", 2.5), ("stddev({2, 4, 4, 4, 5, 5, 7, 9})", 2), ("sqrt(16)", 4), ("log(100)", 2),
      ("ln(1)", 0), ("exp(0)", 1), ("floor(-1.5)", -2), ("ceiling(-1.5)", -1), ("abs(-2)", 2), ("trunc(-1.5)", -1),
      ("modulus:by:(7, 4)", 3), ("raise:toPower:(2, 10)", 1024), ("bitwiseAnd:with:(6, 3)", 2), ("6 | 1", 7),
      ("6 ^ 3", 5), ("leftshift:by:(1, 4)", 16), ("rightshift:by:(16, 4)", 1), ("onesComplement:(0)", -1), ("~5", -6),
      ("length('Zoë')", 3), ("CAST('1.5', 'NSNumber')", 1.5), ("CAST(CAST(5, 'NSDate'), 'NSNumber')", 5),
      ("9223372036854775807 + 1", 9_223_372_036_854_775_808), ("1 + 2 * 3", 7), ("(1 + 2) * 3", 9), ("7 / 2", 3),
    ])
  func value(_ format: String, _ expected: Double) throws {
    let value = try NSExpression(parsing: format).expressionValue(with: nil, context: nil)
    #expect((value as? NSNumber)?.doubleValue == expected)
  }

  @Test("Functions of strings and collections")
  func otherFunctions() {
    #expect(NSExpression(format: "uppercase('aé')").expressionValue(with: nil, context: nil) as? String == "AÉ")
    #expect(NSExpression(format: "canonical('ÀB')").expressionValue(with: nil, context: nil) as? String == "ab")
    #expect(NSExpression(format: "mode({1, 2, 2, 3, 3})").expressionValue(with: nil, context: nil) as? [Int] == [2, 3])
    #expect(NSExpression(format: "now()").expressionValue(with: nil, context: nil) is Date)
    #expect(NSExpression(format: "1 / 0").expressionValue(with: nil, context: nil) == nil)
    #expect(NSExpression(format: "average({})").expressionValue(with: nil, context: nil) == nil)
    let random = NSExpression(format: "random()").expressionValue(with: nil, context: nil) as? Double
    #expect((0..<1).contains(random ?? -1))
  }

  @Test("The distance of two places is that along the surface of the earth, in metres")
  func distance() throws {
    struct Place { let coordinate: Coordinate }
    struct Coordinate { let latitude: Double, longitude: Double }
    let object: [String: Any] = [
      "paris": Place(coordinate: Coordinate(latitude: 48.8566, longitude: 2.3522)),
      "london": ["latitude": 51.5074, "longitude": -0.1278],
    ]
    let expression = NSExpression(format: "distanceToLocation:fromLocation:(paris, london)")
    let metres = try #require(expression.expressionValue(with: object, context: nil) as? Double)
    #expect(abs(metres - 343_500) < 500)
    #expect(NSPredicate(format: "distanceToLocation:fromLocation:(paris, paris) == 0").evaluate(with: object))
    #expect(NSPredicate(format: "distanceToLocation:fromLocation:(paris, rome) == nil").evaluate(with: object))
  }

  @Test("FETCH tells its parts, also after substitution")
  func fetch() throws {
    let expression = try #require(NSExpression(format: "FETCH($r, $c.context, YES)") as? NSFetchRequestExpression)
    #expect(expression.requestExpression == NSExpression(forVariable: "r"))
    #expect(expression.contextExpression.keyPath == "context")
    #expect(expression.isCountOnlyRequest)
    #expect(expression.expressionType == NSFetchRequestExpressionType)
    #expect(expression.expressionType.rawValue == 50)
    #expect(expression.copy() as? NSFetchRequestExpression == expression)
    let predicate = NSPredicate(format: "FETCH($r, $c, NO).@count > 0").withSubstitutionVariables(["r": 1])
    #expect(predicate.description == "FETCH(1, $c, NO).@count > 0")
  }

  private final class Doubled: NSExpression, @unchecked Sendable {
    override func expressionValue(with object: Any?, context: NSMutableDictionary?) -> Any? {
      (super.expressionValue(with: object, context: context) as? Int).map { $0 * 2 }
    }
  }

  @Test("A subclass evaluates itself, and prints what it is made of")
  func subclass() {
    let doubled = NSExpression(forFunction: "add:to:", arguments: [Doubled(node: .keyPath("a", operand: nil)), 1])
    #expect(doubled.expressionValue(with: ["a": 4], context: nil) as? Int == 9)
    #expect(doubled.description == "a + 1")
  }

  @Test("Expressions made by initialisers tell their parts")
  func parts() {
    let sum = NSExpression(forFunction: "multiply:by:", arguments: [NSExpression(forKeyPath: "mag"), 3])
    #expect(sum.expressionType == .function)
    #expect(sum.function == "multiply:by:")
    #expect(sum.arguments?.first?.keyPath == "mag")
    #expect(sum.arguments?.last?.constantValue as? Int == 3)
    #expect(sum.description == "mag * 3")
    #expect(sum.expressionValue(with: ["mag": 4], context: nil) as? Int == 12)
    #expect(NSExpression(forVariable: "x").variable == "x")
    #expect(NSExpression(forVariable: "x").expressionValue(with: nil, context: ["x": 5]) as? Int == 5)
    #expect(NSExpression(forConstantValue: nil).constantValue == nil)
    #expect(NSExpression(forAggregate: [sum, sum]).collection as? [NSExpression] == [sum, sum])
    #expect(NSExpression.expressionForEvaluatedObject().expressionType == .evaluatedObject)
    let block = NSExpression(block: { object, _, _ in (object as? Int ?? 0) + 1 }, arguments: nil)
    #expect(block.expressionValue(with: 1, context: nil) as? Int == 2)
    let subquery = NSExpression(
      forSubquery: NSExpression(forKeyPath: "tags"), usingIteratorVariable: "t", predicate: NSPredicate(value: true))
    #expect(subquery.variable == "t")
    #expect(subquery.description == "SUBQUERY(tags, $t, TRUEPREDICATE)")
    #expect((sum.copy() as? NSExpression) == sum)
    #expect(Set([sum, NSExpression(format: "mag * 3.0")]).count == 1)
  }

  private struct Person {
    var name = ""
    var shortName: String { name }
    struct Address { var city = "" }
    var address = Address()
  }

  @Test("A Swift key path has the name that it was registered under, or that of stored properties")
  func keyPaths() {
    #expect(NSExpression(forKeyPath: \Person.address.city).keyPath == "address.city")
    OCDRegisterKeyPath(\Person.shortName, name: "short")
    #expect(NSExpression(forKeyPath: \Person.shortName).keyPath == "short")
    #expect(NSPredicate(format: "%K == 1", \Person.shortName).description == "short == 1")
  }

  private final class Album {
    var title: String { "" }
    var photos: Int { 0 }
  }

  private final class Photo {
    var album: Album? { nil }
    var owner: Person { Person() }
  }

  @Test("A path through computed properties is named by its parts")
  func composedKeyPaths() {
    #expect(KeyPathNames.name(of: \Photo.album?.title) == nil)
    OCDRegisterKeyPath(\Photo.album, name: "album")
    OCDRegisterKeyPath(\Photo.owner, name: "owner")
    OCDRegisterKeyPath(\Album.title, name: "title")
    #expect(NSExpression(forKeyPath: \Photo.album?.title).keyPath == "album.title")
    #expect(NSExpression(forKeyPath: \Photo.album!.title).keyPath == "album.title")
    #expect(NSExpression(forKeyPath: \Photo.owner.address.city).keyPath == "owner.address.city")
    #expect(KeyPathNames.name(of: \Photo.album?.photos) == nil)
  }

  @Test("A function that does not exist stops the program with Apple's message")
  func unknownFunction() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = NSExpression(forFunction: "sin:", arguments: [1])
    }
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(message.contains("Unable to parse function name 'sin:' into supported selector (sin:)"))
  }
}

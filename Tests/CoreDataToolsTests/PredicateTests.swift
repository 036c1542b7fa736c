import CoreData
import CoreDataTools
import Foundation
import Testing

/// What can be typed into a predicate, and what is wrong with one.
struct PredicateTests {
  private let model = Shop.model()

  private func texts(_ text: String, at offset: Int? = nil) -> [String] {
    PredicateCompletion.suggestions(for: text, at: offset ?? text.count, entity: "Person", model: model).map(\.text)
  }

  @Test func keysOfTheEntityComeFirst() {
    let all = texts("")
    #expect(all.prefix(6) == ["age", "born", "color", "isNew", "kind", "name"])
    #expect(all.contains("things") && all.contains("ANY") && all.contains("NOT"))
    #expect(texts("na") == ["name"])
    #expect(texts("age > 3 AND na") == ["name"])
    #expect(texts("(NA").first == "name")
  }

  @Test func keyPathsLeadThroughRelationships() {
    #expect(texts("things.ow") == ["things.owner"])
    #expect(texts("ANY things.owner.na") == ["things.owner.name"])
    #expect(texts("things.@c") == ["things.@count"])
    #expect(texts("SUBQUERY(things, $thing, $thing.ti") == ["$thing.title"])
    #expect(texts("nothing.na").isEmpty)
  }

  @Test func operatorsSuitTheType() {
    #expect(texts("age ").prefix(4) == ["==", "!=", "<", "<="])
    #expect(!texts("age ").contains("CONTAINS"))
    #expect(texts("name CON").prefix(1) == ["CONTAINS"] || texts("name ").contains("CONTAINS[cd]"))
    #expect(texts("isNew ") == ["==", "!="])
    #expect(texts("things.@count ").contains(">"))
    #expect(texts("age > 3 ") == ["AND", "OR"])
    #expect(texts("(age > 3) ") == ["AND", "OR"])
  }

  @Test func valuesComeFromTheModel() {
    #expect(texts("isNew == ").prefix(3) == ["YES", "NO", "NIL"])
    #expect(texts("kind == ").prefix(3) == ["\"adult\"", "\"child\"", "NIL"])
    #expect(texts("color == ").prefix(2) == ["\"red\"", "\"green\""])
    #expect(texts("kind == \"ch") == ["\"child\""])
    #expect(texts("kind == \"child\"").isEmpty)
  }

  @Test func theTypedCharactersAreReplaced() throws {
    let text = "age > 3 AND na == \"x\""
    let found = PredicateCompletion.suggestions(for: text, at: 14, entity: "Person", model: model)
    #expect(found.map(\.text) == ["name"])
    #expect(found.first?.range == 12..<14)
    #expect(found.first?.kind == .attribute)
  }

  /// What is offered can be used: each operator with each kind of attribute makes a predicate that a store takes.
  @Test func whatIsOfferedIsRight() throws {
    let shop = try Shop()
    let reader = try StoreReader(shop.store)
    let operands = [
      "age": "3", "isNew": "YES", "name": "\"a\"", "born": "\"2024-05-10\"", "things.@count": "2",
    ]
    for (key, value) in operands {
      for comparison in texts("\(key) ") {
        let operand =
          ["IN", "BETWEEN"].contains(comparison) ? "{\(value), \(value)}" : value
        let text = "\(key) \(comparison) \(operand)"
        #expect(PredicateCompletion.mistakes(in: text, entity: "Person", model: model) == nil, "\(text)")
        #expect(throws: Never.self, "\(text)") {
          try reader.count(of: ObjectQuery(entity: "Person", predicate: text))
        }
      }
    }
  }

  @Test func mistakesHaveTheirPlace() throws {
    func mistake(_ text: String) -> PredicateMistake? {
      PredicateCompletion.mistakes(in: text, entity: "Person", model: model)
    }
    #expect(mistake("") == nil)
    #expect(mistake("age > 3 AND things.owner.name == \"x\"") == nil)
    #expect(mistake("SUBQUERY(things, $t, $t.title == \"x\").@count > 0") == nil)
    let end = try #require(mistake("age > "))
    #expect((end.offset, end.line, end.column) == (6, 1, 7))
    let key = try #require(mistake("age > 3 AND things.ownr.name == \"x\""))
    #expect((key.offset, key.length) == (19, 4))
    #expect(key.message.contains("Thing") && key.message.contains("ownr"))
    #expect(key.caret == "age > 3 AND things.ownr.name == \"x\"\n" + String(repeating: " ", count: 19) + "^")
    let second = try #require(mistake("age > 3\nAND nam == \"x\""))
    #expect((second.line, second.column) == (2, 5))
  }

  @Test func aReaderThrowsTheSameMistakes() throws {
    let shop = try Shop()
    let reader = try StoreReader(shop.store)
    func offset(_ text: String) -> Int? {
      do {
        _ = try reader.count(of: ObjectQuery(entity: "Person", predicate: text))
        return nil
      } catch { return (error as? PredicateMistake)?.offset ?? -1 }
    }
    #expect(offset("age > ") == 6)
    #expect(offset("nam == \"x\"") == 0)
    #expect(offset("born > \"yesterday\"") == 7)
    #expect(offset("born > \"2024-05-10\"") == nil)
    #expect(offset("self == \"Person/p1\"") == nil)
  }
}

import Foundation
import OpenCoreData

/// The words that can follow in a predicate.
struct PredicateChoices {
  struct Choice {
    var text: String
    var kind: PredicateCompletion.Suggestion.Kind
    var detail = ""
  }

  /// The kind of word that the grammar expects next.
  private enum Place {
    case operand
    /// An operator that compares the expression before it.
    case comparison(PredicateScope.Target?)
    /// A value to compare with.
    case value(PredicateScope.Target?)
    case connective
  }

  private let entity: NSEntityDescription
  private let words: [PredicateWord]
  private let typed: String
  private let scope: PredicateScope

  init(_ entity: NSEntityDescription, _ words: [PredicateWord], typed: String) {
    (self.entity, self.words, self.typed) = (entity, words, typed)
    scope = PredicateScope(entity, words)
  }

  var suggestions: [Choice] {
    let choices: [Choice]
    switch place {
    case .operand:
      choices = keyPaths(nil) + quantifiers + [Choice(text: "NOT", kind: .keyword)] + functions
    case .comparison(let target): choices = PredicateOperators.comparisons(target)
    case .value(let target): choices = PredicateValues.values(target) + keyPaths(target) + functions
    case .connective: choices = ["AND", "OR"].map { Choice(text: $0, kind: .keyword) }
    }
    var seen: Set<String> = []
    // A word that has been typed completely is no suggestion.
    return choices.filter { choice in
      Self.begins(choice.text, with: typed) && choice.text != typed && seen.insert(choice.text).inserted
    }
  }

  private static func begins(_ text: String, with typed: String) -> Bool {
    text.lowercased().hasPrefix(typed.lowercased())
  }

  // MARK: The place

  /// The part of a comparison that has been written.
  private struct Comparison {
    var left: PredicateScope.Target?
    var hasOperator = false
  }

  private var place: Place {
    var now = Comparison()
    var outer: [Comparison] = []
    var last: PredicateWord.Kind = .connective
    for word in words {
      switch word.kind {
      case .connective: now = Comparison()
      case .comparison: now.hasOperator = true
      case .open: outer.append(now)
      case .close:
        guard let around = outer.popLast() else { break }
        now = Comparison(left: around.left ?? now.left, hasOperator: around.hasOperator || now.hasOperator)
      case .name: if !now.hasOperator { now.left = scope.target(of: word.text) ?? now.left }
      case .string, .number, .quantifier, .sign, .comma: break
      }
      last = word.kind
    }
    switch last {
    case .connective, .quantifier: return .operand
    case .open, .comma, .sign, .comparison: return now.hasOperator ? .value(now.left) : .operand
    case .name, .string, .number, .close: return now.hasOperator ? .connective : .comparison(now.left)
    }
  }

  // MARK: Key paths

  /// Returns the keys that can follow the typed text. If the text is compared with an attribute, keys of its type come first.
  private func keyPaths(_ wanted: PredicateScope.Target?) -> [Choice] {
    let keys = typed.split(separator: ".", omittingEmptySubsequences: false).dropLast()
    let path = keys.joined(separator: ".")
    let prefix = path.isEmpty ? "" : path + "."
    if path.isEmpty {
      let variables = scope.variables.keys.sorted().map {
        Choice(text: "$\($0)", kind: .relationship, detail: scope.variables[$0]?.name ?? "")
      }
      let own = Self.keys(.object(entity, isMany: false)) + [Choice(text: "SELF", kind: .keyword, detail: "the object")]
      return Self.sorted(variables + own, wanted)
    }
    guard let target = scope.target(of: path) else { return [] }
    return Self.sorted(Self.keys(target), wanted).map { choice in
      Choice(text: prefix + choice.text, kind: choice.kind, detail: choice.detail)
    }
  }

  private static func sorted(_ choices: [Choice], _ wanted: PredicateScope.Target?) -> [Choice] {
    guard let wanted, case .attribute(let attribute, _) = wanted else { return choices }
    let type = attribute.attributeType.name
    return choices.filter { $0.detail == type } + choices.filter { $0.detail != type }
  }

  private static func keys(_ target: PredicateScope.Target) -> [Choice] {
    switch target {
    case .object(let entity, let isMany):
      let attributes = entity.attributesByName.sorted { $0.key < $1.key }.filter { !$0.value.isTransient }.map {
        Choice(text: $0.key, kind: .attribute, detail: $0.value.attributeType.name)
      }
      let relationships = entity.relationshipsByName.sorted { $0.key < $1.key }.map { name, relationship in
        Choice(
          text: name, kind: .relationship,
          detail: (relationship.isToMany ? "to many " : "to one ") + (relationship.destinationEntity?.name ?? ""))
      }
      let operators = PredicateScope.collectionOperators.map { Choice(text: $0, kind: .collectionOperator) }
      return attributes + relationships + (isMany ? operators : [])
    case .attribute(let attribute, let isMany):
      let elements = (attribute as? NSCompositeAttributeDescription)?.elements ?? []
      return elements.map { Choice(text: $0.name, kind: .attribute, detail: $0.attributeType.name) }
        + (isMany ? PredicateScope.collectionOperators.map { Choice(text: $0, kind: .collectionOperator) } : [])
    case .count: return []
    }
  }

  // MARK: Words

  private var quantifiers: [Choice] {
    let hasMany = entity.relationshipsByName.values.contains { $0.isToMany }
    return hasMany ? ["ANY", "ALL", "NONE"].map { Choice(text: $0, kind: .keyword) } : []
  }

  private var functions: [Choice] {
    let texts = [
      ("SUBQUERY(", "members that meet a condition"), ("lowercase(", "a text"), ("uppercase(", "a text"),
      ("length(", "of a text"), ("abs(", "a number"), ("floor(", "a number"), ("ceiling(", "a number"),
      ("now()", "the time"),
    ]
    return texts.map { Choice(text: $0.0, kind: .function, detail: $0.1) }
  }
}

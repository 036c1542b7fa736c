import Foundation
import OpenCocoaFoundation

extension PredicateLowering {
  /// The largest depth of nested compounds: SQLite's parser keeps at most a hundred unfinished symbols.
  private static let maximumNesting = 12

  /// Whether a compound has more levels than SQLite's parser allows. The test is not recursive, because there may be
  /// thousands of levels.
  package static func isNestedDeeply(_ predicate: NSPredicate) -> Bool {
    var level = [predicate]
    for _ in 0..<maximumNesting {
      level = level.flatMap { predicate -> [NSPredicate] in
        if case .compound(_, let parts) = predicate.node { parts } else { [] }
      }
      if level.isEmpty { return false }
    }
    return true
  }

  /// A compound as an array of its nodes, each before its parts.
  private struct Nodes {
    struct Node {
      var predicate: NSPredicate
      /// AND or OR; nil for a comparison.
      var isAnd: Bool?
      var isNegated: Bool
      var parts: [Int] = []
      var size = 1
      var height = 1
    }

    var nodes: [Node] = []

    /// Moves negation down to the comparisons, and merges an AND into an AND around it, and an OR into an OR.
    init(_ root: NSPredicate) throws {
      var waiting: [(predicate: NSPredicate, isNegated: Bool, owner: Int?)] = [(root, false, nil)]
      while let (predicate, isNegated, owner) = waiting.popLast() {
        guard case .compound(let type, let parts) = predicate.node else {
          add(Node(predicate: predicate, isAnd: nil, isNegated: isNegated), to: owner)
          continue
        }
        if type == .not {
          guard let part = parts.first else { throw SQLLoweringError.predicate(predicate) }
          waiting.append((part, !isNegated, owner))
          continue
        }
        let isAnd = (type == .and) != isNegated
        var index = owner
        if owner.map({ nodes[$0].isAnd != isAnd }) ?? true {
          index = add(Node(predicate: predicate, isAnd: isAnd, isNegated: isNegated), to: owner)
        }
        waiting.append(contentsOf: parts.reversed().map { ($0, isNegated, index) })
      }
      measure()
    }

    @discardableResult
    private mutating func add(_ node: Node, to owner: Int?) -> Int {
      nodes.append(node)
      if let owner { nodes[owner].parts.append(nodes.count - 1) }
      return nodes.count - 1
    }

    private mutating func measure() {
      for index in nodes.indices.reversed() {
        for part in nodes[index].parts {
          nodes[index].size += nodes[part].size
          nodes[index].height = max(nodes[index].height, nodes[part].height + 1)
        }
      }
    }
  }

  /// The condition of a compound of any depth.
  package func nested(_ predicate: NSPredicate) throws -> SQLExpression {
    let nodes = try Nodes(predicate)
    return try condition(0, nodes)
  }

  private func condition(_ index: Int, _ nodes: Nodes) throws -> SQLExpression {
    let node = nodes.nodes[index]
    guard let isAnd = node.isAnd else {
      let condition = try condition(node.predicate, isRequired: false)
      return node.isNegated ? condition.negated : condition
    }
    if node.height > Self.maximumNesting { return try decisions(index, nodes) }
    let parts = try node.parts.map { try condition($0, nodes) }
    return isAnd ? .all(parts) : alternatives(parts)
  }

  /// Returns a list of decisions in place of nested conditions. At each level, all parts but the largest may decide the
  /// result; otherwise the list continues with the largest. Each other part is at most half as large, so few levels
  /// remain.
  private func decisions(_ start: Int, _ nodes: Nodes) throws -> SQLExpression {
    var cases: [(condition: SQLExpression, value: Bool)] = []
    var index = start
    while let isAnd = nodes.nodes[index].isAnd, nodes.nodes[index].height > Self.maximumNesting {
      let parts = nodes.nodes[index].parts
      let largest = parts.max { nodes.nodes[$0].size < nodes.nodes[$1].size } ?? index
      let others = try parts.filter { $0 != largest }.map { try condition($0, nodes) }
      if isAnd {
        let all = SQLExpression.all(others)
        if case .truth(true) = all {} else { cases.append((all.negated, false)) }
      } else {
        cases.append((alternatives(others), true))
      }
      index = largest
    }
    return .decisions(cases, otherwise: try condition(index, nodes))
  }
}

import CRuntime
import Dispatch
import Foundation

/// Releases deep trees of predicates and expressions part by part. If each node released its parts within its own release, the
/// stack would need room for as many calls as the tree has levels.
enum TreeRelease {
  /// Trees with more levels than this are released part by part.
  static let depth: Int32 = 64

  private final class Parts {
    var parts: [AnyObject] = []
  }

  /// Takes over the parts of an owner. `move` adds the parts to the list and removes the owner's references to them.
  static func release(_ move: (inout [AnyObject]) -> Void) {
    if let current = runtime_released_parts().pointee {
      return move(&Unmanaged<Parts>.fromOpaque(current).takeUnretainedValue().parts)
    }
    let list = Parts()
    move(&list.parts)
    drain(list)
  }

  /// Takes over parts whose owner is about to release its references to them.
  static func releaseLater(_ parts: [AnyObject]) {
    if let current = runtime_released_parts().pointee {
      Unmanaged<Parts>.fromOpaque(current).takeUnretainedValue().parts.append(contentsOf: parts)
      return
    }
    // If the list were emptied here, the owner's references would be the last ones, and their release would recurse. So the
    // list is emptied later, on another queue.
    nonisolated(unsafe) let list = Parts()
    list.parts = parts
    DispatchQueue.global(qos: .utility).async { drain(list) }
  }

  private static func drain(_ list: Parts) {
    let current = runtime_released_parts()
    current.pointee = Unmanaged.passUnretained(list).toOpaque()
    while list.parts.popLast() != nil {}
    current.pointee = nil
  }
}

extension NSExpression {
  /// The direct parts of the expression that are expressions or predicates.
  final var treeParts: [AnyObject] {
    switch node {
    case .constant, .evaluatedObject, .variable, .anyKey: []
    case .keyPath(_, let operand): operand.map { [$0] } ?? []
    case .function(_, let target, let arguments): (target.map { [$0] } ?? []) + arguments
    case .unionSet(let left, let right), .intersectSet(let left, let right), .minusSet(let left, let right):
      [left, right]
    case .subquery(let collection, _, let predicate): [collection, predicate]
    case .aggregate(let expressions): expressions
    case .block(_, let arguments): arguments ?? []
    case .fetch(let request, let context, _): [request, context]
    case .conditional(let predicate, let first, let second): [predicate, first, second]
    }
  }

  /// Returns the number of levels of an expression with the given node: those of its deepest part and one more.
  static func depth(of node: ExpressionNode) -> Int32 {
    switch node {
    case .constant, .evaluatedObject, .variable, .anyKey: 1
    case .keyPath(_, let operand): 1 + (operand?.depth ?? 0)
    case .function(_, let target, let arguments): 1 + max(target?.depth ?? 0, deepest(arguments))
    case .unionSet(let left, let right), .intersectSet(let left, let right), .minusSet(let left, let right):
      1 + max(left.depth, right.depth)
    case .subquery(let collection, _, let predicate): 1 + max(collection.depth, predicate.depth)
    case .aggregate(let expressions): 1 + deepest(expressions)
    case .block(_, let arguments): 1 + deepest(arguments ?? [])
    case .fetch(let request, let context, _): 1 + max(request.depth, context.depth)
    case .conditional(let predicate, let first, let second): 1 + max(predicate.depth, first.depth, second.depth)
    }
  }

  private static func deepest(_ expressions: [NSExpression]) -> Int32 {
    expressions.reduce(0) { max($0, $1.depth) }
  }
}

extension NSPredicate {
  /// The number of levels of the predicate's tree.
  var depth: Int32 {
    if let comparison = self as? NSComparisonPredicate {
      return 1 + max(comparison.leftExpression.depth, comparison.rightExpression.depth)
    }
    if let compound = self as? NSCompoundPredicate { return compound.levels }
    // Compound predicates of Foundation's own class are made by programs, not by formats, and are not measured.
    return 1
  }
}

import OpenCocoaFoundation

import class OpenCocoaFoundation.NSExpression

/// A parsed derivation expression. The initializer returns nil for an expression that no store keeps.
package enum DerivationForm: Equatable {
  case now
  /// A function of the value at the end of a key path.
  case function(RowFunction, [String])
  case count([String])
  /// The relationship, then the attribute of its members.
  case sum([String])

  package init?(_ expression: NSExpression) {
    switch expression.node {
    case .function("now", target: nil, let arguments) where arguments.isEmpty: self = .now
    case .keyPath(let path, operand: nil): self.init(path: path)
    case .function(let name, target: nil, let arguments):
      guard arguments.count == 1, case .keyPath(let path, operand: nil) = arguments[0].node, !path.contains("@") else {
        return nil
      }
      self.init(name, Self.names(path))
    default: return nil
    }
  }

  /// A key path, which may have an operator: `pages.@count`, `pages.@sum.number` or, as models have it,
  /// `pages.number.@sum`.
  private init?(path: String) {
    var names = Self.names(path)
    guard let place = names.firstIndex(where: { $0.hasPrefix("@") }) else {
      self = .function(.copy, names)
      return
    }
    switch names.remove(at: place) {
    case "@count": self = .count(names)
    case "@sum": self = .sum(names)
    default: return nil
    }
  }

  private init?(_ function: String, _ names: [String]) {
    switch function {
    case "count:": self = .count(names)
    case "sum:": self = .sum(names)
    default:
      guard !function.isEmpty, let function = RowFunction(rawValue: function) else { return nil }
      self = .function(function, names)
    }
  }

  private static func names(_ path: String) -> [String] {
    path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
  }
}

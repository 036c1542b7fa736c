/// The name of a method, for code that passes selectors on Apple's platforms.
///
/// Differs from Apple (D-SRC-03): no runtime can call a method by its selector. The library knows the methods that it supports
/// by their names, such as `localizedStandardCompare:`. `#selector` does not exist on Linux: write the name as a string.
public struct Selector: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The name with its colons, such as `"localizedStandardCompare:"`.
  public let description: String

  /// Makes a selector of its name.
  public init(_ name: String) {
    description = name
  }

  /// Makes a selector of its name.
  public init(stringLiteral value: String) {
    description = value
  }
}

/// Returns the name of a selector.
public func NSStringFromSelector(_ selector: Selector) -> String {
  selector.description
}

/// Returns the selector with a name.
public func NSSelectorFromString(_ name: String) -> Selector {
  Selector(name)
}

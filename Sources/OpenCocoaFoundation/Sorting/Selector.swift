/// The name of a method, as code for Apple's platforms passes it.
///
/// Differs from Apple (D-SRC-03): there is no runtime behind it that could call the method; the library knows those it
/// supports by name, such as `localizedStandardCompare:`. `#selector` does not exist on Linux: write the name as a
/// string.
public struct Selector: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The name, colons included, as `"localizedStandardCompare:"`.
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

/// Gives the name of a selector.
public func NSStringFromSelector(_ selector: Selector) -> String {
  selector.description
}

/// Gives the selector of a name.
public func NSSelectorFromString(_ name: String) -> Selector {
  Selector(name)
}

import Foundation

/// A method that expressions call by its selector; see `OCDCallableByName`.
public struct OCDCallableMethod: Sendable {
  /// The selector; its colons count the arguments.
  public let selector: String
  private let body: @Sendable (AnyObject, [Any?]) throws -> Any?

  /// A method of a class, written as `Policy.country`. Overriding it in a subclass has its usual effect.
  ///
  /// Numbers are taken from NSNumber, Optionals from nil, collections from those of Foundation. An argument of a type that
  /// the method cannot take is an error of the evaluation, which names the selector, the expected type and the found one, or
  /// stops the program if no error can be thrown. So is a selector with another number of colons than the method has
  /// arguments.
  ///
  /// - Parameters:
  ///   - selector: The selector, such as `countryOf:language:`.
  ///   - method: The method. A number that it returns becomes an NSNumber; a method without result returns nil.
  public init<Root: AnyObject, each Argument, Result>(
    _ selector: String, _ method: @escaping @Sendable (Root) -> (repeat each Argument) -> Result
  ) {
    self.selector = selector
    let colons = selector.count { $0 == ":" }
    var count = 0
    for _ in repeat (each Argument).self { count += 1 }
    if count != colons {
      raise(.invalidArgument, "The method for the selector \(selector) takes \(count) arguments, not \(colons).")
    }
    body = { target, arguments in
      let root: Root = try Self.root(target, selector)
      let given = Arguments(arguments, selector)
      let values = try (repeat given.next((each Argument).self))
      let result = method(root)(repeat each values)
      return result is Void ? nil : KeyValueConversion.boxed(result)
    }
  }

  /// A method of any arguments: a closure that is given the object and the arguments' values as they are.
  public init<Root: AnyObject>(
    _ selector: String, arguments body: @escaping @Sendable (Root, [Any?]) -> Any?
  ) {
    self.selector = selector
    self.body = { target, arguments in body(try Self.root(target, selector), arguments) }
  }

  /// Calls the method.
  ///
  /// - Throws: `OCDEvaluationError` for arguments that it does not take.
  package func call(on target: AnyObject, _ arguments: [Any?]) throws -> Any? { try body(target, arguments) }

  private static func root<Root: AnyObject>(_ target: AnyObject, _ selector: String) throws -> Root {
    if let root = target as? Root { return root }
    throw OCDEvaluationError("The method \(selector) belongs to \(Root.self), not to \(type(of: target)).")
  }

  /// The arguments of a call, taken one after the other.
  private final class Arguments {
    private let values: [Any?]
    private let selector: String
    private var position = 0

    init(_ values: [Any?], _ selector: String) {
      self.values = values
      self.selector = selector
    }

    func next<Argument>(_ type: Argument.Type) throws -> Argument {
      defer { position += 1 }
      guard position < values.count else {
        throw OCDEvaluationError("\(selector) is called with \(values.count) arguments.")
      }
      let value = values[position]
      if case .value(let converted) = KeyValueConversion.convert(value, to: type) { return converted }
      let given = unwrapped(value).map { "\(Swift.type(of: $0))" } ?? "nil"
      throw OCDEvaluationError(
        "\(selector): unacceptable argument \(position + 1); desired type = \(type); given type = \(given); value = "
          + "\(ValueText.of(value)).")
    }
  }
}

import Foundation

/// A method that expressions call by its selector; see `OCDCallableByName`.
public struct OCDCallableMethod: Sendable {
  /// The selector, with one colon for each argument.
  public let selector: String
  private let body: @Sendable (AnyObject, [Any?]) throws -> Any?

  /// Makes an entry for a method of a class, written as `Policy.country`. If a subclass overrides the method, its override is
  /// called.
  ///
  /// Arguments are converted: a number from NSNumber, an Optional from nil, a collection from one of Foundation. An argument
  /// that cannot be converted to the parameter's type is an error of the evaluation, which names the selector, the expected
  /// type and the type found; it stops the program where no error can be thrown. This initialiser stops the program if the
  /// selector does not have as many colons as the method has arguments.
  ///
  /// - Parameters:
  ///   - selector: The selector, e.g. `countryOf:language:`.
  ///   - method: The method. If it returns a number, the result is an NSNumber; if it returns nothing, the result is nil.
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

  /// Makes an entry for a method with any arguments: a closure that receives the object and the unconverted values of the
  /// arguments.
  public init<Root: AnyObject>(
    _ selector: String, arguments body: @escaping @Sendable (Root, [Any?]) -> Any?
  ) {
    self.selector = selector
    self.body = { target, arguments in body(try Self.root(target, selector), arguments) }
  }

  /// Calls the method.
  ///
  /// - Throws: `OCDEvaluationError` for an object of another class, or for arguments that the method does not accept.
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

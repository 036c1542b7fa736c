import Foundation

// Sendable unchecked, since nothing changes after the initialiser.
/// An expression of a predicate, or of a column that a fetch computes. It cannot be changed once it is made.
///
/// ```swift
/// let expression = NSExpression(format: "words / 2 + 1")
/// print(expression.expressionType == .function)  // true
/// print(expression.expressionValue(with: ["words": 80], context: nil) as? Int ?? 0)  // 41
/// ```
///
/// A file that imports Foundation alone finds Foundation's stub of this name: import CoreData or CocoaFoundation
/// (D-SRC-11). What SQL cannot say of an expression is refused by the fetch (134060, D-PRE-11).
///
/// See also ``init(format:_:)``, ``init(forFunction:arguments:)``.
open class NSExpression: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  /// The kinds of expression, with Apple's raw values.
  public enum ExpressionType: UInt, Sendable {
    /// A value: ``NSExpression/constantValue`` returns it.
    case constantValue = 0
    /// The object that is evaluated, `SELF`.
    case evaluatedObject = 1
    /// A variable, `$name`.
    case variable = 2
    /// A key path, of the evaluated object or of another expression's value: ``NSExpression/keyPath`` and
    /// ``NSExpression/operand``.
    case keyPath = 3
    /// A function of the language, or a method of a target: ``NSExpression/function`` and ``NSExpression/arguments``.
    case function = 4
    /// The union of two collections.
    case unionSet = 5
    /// The intersection of two collections.
    case intersectSet = 6
    /// One collection without the elements of another.
    case minusSet = 7
    /// The elements of a collection that satisfy a predicate.
    case subquery = 13
    /// Expressions in braces, whose values make an array: ``NSExpression/collection``.
    case aggregate = 14
    /// Any key. The expression has a meaning only for Spotlight, and cannot be evaluated (D-PRE-09).
    case anyKey = 15
    /// A block, which SQL cannot say and no archive can hold.
    case block = 19
    /// One of two expressions, chosen by a predicate.
    case conditional = 20
    /// The result of a fetch request; Apple names it `NSFetchRequestExpressionType`.
    case fetchRequest = 50
  }

  /// The parts of the expression.
  package private(set) final var node: ExpressionNode

  /// The number of its levels.
  let depth: Int32

  /// The keys of a key path that has several.
  let keys: [String]

  /// The kind that a subclass gave itself.
  private let declaredType: ExpressionType?

  package init(node: ExpressionNode) {
    self.node = node
    depth = Self.depth(of: node)
    keys = Self.keys(of: node)
    declaredType = nil
    super.init()
    _ = ArchivedClasses.registered
  }

  /// Makes an expression of a subclass, which overrides `expressionValue(with:context:)`.
  ///
  /// Evaluating an expression of NSExpression itself that was made so stops the program.
  public init(expressionType type: ExpressionType) {
    node = .block(
      { _, _, _ in
        raise(.invalidArgument, "-expressionValueWithObject:context: is only defined for subclasses of NSExpression")
      }, arguments: nil)
    depth = 1
    keys = []
    declaredType = type
    super.init()
  }

  /// Decodes an expression that was archived here or by Apple's frameworks.
  ///
  /// Gives nil, and the coder an error (4864), for an archive that is no expression, names a function that is not known,
  /// contains itself or is nested too deeply.
  public required init?(coder: NSCoder) {
    guard let node = coder.decoding({ try ExpressionNode(decoding: coder) }) else { return nil }
    self.node = node
    depth = Self.depth(of: node)
    keys = Self.keys(of: node)
    declaredType = nil
    super.init()
  }

  deinit {
    guard depth > TreeRelease.depth else { return }
    TreeRelease.release { parts in
      parts.append(contentsOf: treeParts)
      node = .evaluatedObject
    }
  }

  private static func keys(of node: ExpressionNode) -> [String] {
    guard case .keyPath(let path, _) = node, path.utf8.contains(UInt8(ascii: ".")) else { return [] }
    return path.keysOfPath
  }

  /// True: expressions are archived securely.
  open class var supportsSecureCoding: Bool { true }

  /// Archives the expression in Apple's layout.
  ///
  /// Stops the program for a block, which cannot be archived, and for constants that cannot.
  open func encode(with coder: NSCoder) {
    encodeNode(with: coder)
  }

  open override var classForKeyedArchiver: AnyClass? {
    type(of: self) == NSExpression.self || type(of: self) == NSFetchRequestExpression.self
      ? ArchivedClasses.named(archivedClassName) ?? type(of: self) : type(of: self)
  }

  /// The kind of the expression, which says which of its parts may be asked for.
  open var expressionType: ExpressionType {
    if let declaredType { return declaredType }
    return switch node {
    case .constant: .constantValue
    case .evaluatedObject: .evaluatedObject
    case .variable: .variable
    case .keyPath: .keyPath
    case .function: .function
    case .unionSet: .unionSet
    case .intersectSet: .intersectSet
    case .minusSet: .minusSet
    case .subquery: .subquery
    case .aggregate: .aggregate
    case .anyKey: .anyKey
    case .block: .block
    case .conditional: .conditional
    case .fetch: .fetchRequest
    }
  }

  /// Gives back the expression itself, since none can change.
  open func copy(with zone: NSZone? = nil) -> Any {
    self
  }

  open override func copy() -> Any {
    copy(with: nil)
  }

  /// Computes the value of the expression for an object.
  ///
  /// Stops the program where there is none, as for a key that the object does not have; for expressions from outside there
  /// is `checkedValue(with:context:)`.
  ///
  /// - Parameters:
  ///   - object: The object, `SELF`.
  ///   - context: The values of variables by name; NSNull stands for nil.
  open func expressionValue(with object: Any?, context: NSMutableDictionary?) -> Any? {
    EvaluatorQuestion.answering(self, otherwise: nil) { try published(with: object, context: context) }
  }

  /// The text that this expression is parsed from.
  open override var description: String { PredicatePrinter.nodeText(of: self) }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSExpression, type(of: other) == type(of: self) else { return false }
    return self === other || StackRoom.isLeft && node == other.node
  }

  open override var hash: Int {
    var hasher = Hasher()
    // Deep expressions all have the same hash, and are compared. An aggregate may equal a constant, which has no levels.
    if depth <= TreeRelease.depth { node.hash(into: &hasher) }
    return hasher.finalize()
  }
}

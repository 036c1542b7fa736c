import Foundation

// Sendable unchecked: nothing changes after the initialiser.
/// An expression of a predicate, or of a column that a fetch computes. It cannot be changed once it is made.
///
/// ```swift
/// let expression = NSExpression(format: "words / 2 + 1")
/// print(expression.expressionType == .function)  // true
/// print(expression.expressionValue(with: ["words": 80], context: nil) as? Int ?? 0)  // 41
/// ```
///
/// In a file that imports only Foundation, this name means Foundation's stub: import CoreData or CocoaFoundation
/// (D-SRC-11). A fetch throws 134060 for an expression that cannot be expressed in SQL (D-PRE-11).
///
/// See also ``init(format:_:)``, ``init(forFunction:arguments:)``.
open class NSExpression: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  /// The kinds of expression, with Apple's raw values.
  public enum ExpressionType: UInt, Sendable {
    /// A value: ``NSExpression/constantValue``.
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
    /// Any key. Only Spotlight gives this expression a meaning; it cannot be evaluated (D-PRE-09).
    case anyKey = 15
    /// A block, which can neither be expressed in SQL nor archived.
    case block = 19
    /// One of two expressions, chosen by a predicate.
    case conditional = 20
    /// The result of a fetch request; Apple's name of this case is `NSFetchRequestExpressionType`.
    case fetchRequest = 50
  }

  /// The kind and the parts of the expression.
  package private(set) final var node: ExpressionNode

  /// The number of levels of the expression's tree.
  let depth: Int32

  /// The keys of a key path, if it has several; else empty.
  let keys: [String]

  /// The kind that the initialiser of a subclass passed to `init(expressionType:)`; else nil.
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
  /// An instance of NSExpression itself that was made with this initialiser stops the program when it is evaluated.
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
  /// Returns nil and reports an error (4864) to the coder if the archive is no expression, names an unknown function,
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
  /// Stops the program for a block and for a constant of a class without secure coding: neither can be archived.
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

  /// Returns the expression itself, because expressions cannot change.
  open func copy(with zone: NSZone? = nil) -> Any {
    self
  }

  open override func copy() -> Any {
    copy(with: nil)
  }

  /// Computes the value of the expression for an object.
  ///
  /// Stops the program if the evaluation fails, for example because the object does not have a key. For expressions from
  /// outside use `checkedValue(with:context:)`.
  ///
  /// - Parameters:
  ///   - object: The object, `SELF`.
  ///   - context: The values of variables by name; NSNull stands for nil.
  open func expressionValue(with object: Any?, context: NSMutableDictionary?) -> Any? {
    EvaluatorQuestion.answering(self, otherwise: nil) { try published(with: object, context: context) }
  }

  /// The text of the expression in the format language.
  open override var description: String { PredicatePrinter.nodeText(of: self) }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSExpression, type(of: other) == type(of: self) else { return false }
    return self === other || StackRoom.isLeft && node == other.node
  }

  open override var hash: Int {
    var hasher = Hasher()
    // Expressions that differ only behind their first nodes have the same hash; `isEqual(_:)` tells them apart.
    node.hash(into: &hasher)
    return hasher.finalize()
  }
}

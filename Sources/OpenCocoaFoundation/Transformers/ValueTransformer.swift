import Foundation

/// Turns values of one kind into another, and back where it can.
///
/// Differs from Apple (D-ARC-01): a subclass with initialisers of its own must declare `required init()`, because an
/// instance may be made by the name of its class.
open class ValueTransformer: NSObject {
  /// Makes a transformer.
  public required override init() {}

  /// The transformer that is registered under a name, or else a new one of the class of that name, which is registered then.
  ///
  /// Differs from Apple (D-ARC-12): a class has its module in its name, as in `"App.ImageTransformer"`; without one it
  /// is looked for in the program's main module and in this one. A call on a subclass gives nil for a transformer of
  /// another class.
  public convenience init?(forName name: NSValueTransformerName) {
    self.init(_existing: TransformerRegistry.transformer(named: name))
  }

  /// Registers a transformer under a name, from any thread; nil removes what is registered.
  open class func setValueTransformer(_ transformer: ValueTransformer?, forName name: NSValueTransformerName) {
    TransformerRegistry.register(transformer, name)
  }

  /// The names of all transformers that are registered.
  open class func valueTransformerNames() -> [NSValueTransformerName] {
    TransformerRegistry.names
  }

  /// The class of what `transformedValue(_:)` gives; subclasses say which.
  open class func transformedValueClass() -> AnyClass { NSObject.self }

  /// Whether `reverseTransformedValue(_:)` works; true unless a subclass says otherwise.
  open class func allowsReverseTransformation() -> Bool { true }

  /// Transforms a value; subclasses say how. Here it stays as it is.
  open func transformedValue(_ value: Any?) -> Any? { value }

  /// Transforms a value back; unless a subclass says how, as `transformedValue(_:)` does.
  ///
  /// Stops the program if the class does not allow it.
  open func reverseTransformedValue(_ value: Any?) -> Any? {
    guard Self.allowsReverseTransformation() else {
      raise(.invalidArgument, "\(Self.self) does not allow reverse transformation.")
    }
    return transformedValue(value)
  }
}

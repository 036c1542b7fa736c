import Foundation

/// Turns values of one kind into another, and back where it can: what a transformable attribute names to make bytes of
/// its values.
///
/// A transformer for an attribute is registered before the store is opened. It gives the bytes in
/// `transformedValue(_:)` of a type that starts with the value, and the value again in `reverseTransformedValue(_:)`.
///
/// ```swift
/// final class RotatedText: ValueTransformer {
///   override class func transformedValueClass() -> AnyClass { NSData.self }
///
///   override func transformedValue(_ value: Any?) -> Any? {
///     (value as? String).map { Data(String($0.reversed()).utf8) as NSData }
///   }
///
///   override func reverseTransformedValue(_ value: Any?) -> Any? {
///     (value as? Data).map { String(decoding: $0, as: UTF8.self) }.map { String($0.reversed()) }
///   }
/// }
///
/// ValueTransformer.setValueTransformer(RotatedText(), forName: NSValueTransformerName("RotatedText"))
/// let transformer = ValueTransformer(forName: NSValueTransformerName("RotatedText"))
/// let bytes = transformer?.transformedValue("diary")
/// print(transformer?.reverseTransformedValue(bytes) as? String ?? "none")  // diary
/// ```
///
/// Store values that no class of your own is needed for: bytes of a class that is gone read as nil (D-STO-08). For what
/// secure coding takes, subclass `NSSecureUnarchiveFromDataTransformer`.
///
/// Differs from Apple (D-ARC-01): a subclass with initialisers of its own must declare `required init()`, because an
/// instance may be made by the name of its class.
open class ValueTransformer: NSObject {
  /// Makes a transformer.
  public required override init() {}

  /// The transformer that is registered under a name, or else a new one of the class with that name, which is then
  /// registered. Nil if there is neither.
  ///
  /// Differs from Apple (D-ARC-12): a class has its module in its name, as in `"App.ImageTransformer"`; a name without a
  /// module is looked for in the program's main module and in this one. A call on a subclass returns nil for a transformer of
  /// another class.
  public convenience init?(forName name: NSValueTransformerName) {
    self.init(_existing: TransformerRegistry.transformer(named: name))
  }

  /// Registers a transformer under a name, from any thread; nil removes the registration.
  open class func setValueTransformer(_ transformer: ValueTransformer?, forName name: NSValueTransformerName) {
    TransformerRegistry.register(transformer, name)
  }

  /// The names of all transformers that are registered.
  open class func valueTransformerNames() -> [NSValueTransformerName] {
    TransformerRegistry.names
  }

  /// The class of the values that `transformedValue(_:)` returns; subclasses override it.
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

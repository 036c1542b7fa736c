import Foundation

/// Converts values of one kind to another, and back if possible. A transformable attribute names a transformer that converts
/// its values to bytes.
///
/// Register the transformer of an attribute before the store is opened. Its `transformedValue(_:)` returns the bytes of a
/// value, and its `reverseTransformedValue(_:)` returns the value of the bytes.
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
/// Prefer values that need no class of your own: if a class no longer exists, the bytes of its objects are read as nil
/// (D-STO-08). For values that support secure coding, subclass `NSSecureUnarchiveFromDataTransformer`.
///
/// Differs from Apple (D-ARC-01): a subclass with initialisers of its own must declare `required init()`, because an
/// instance may be made by the name of its class.
open class ValueTransformer: NSObject {
  /// Makes a transformer.
  public required override init() {}

  /// Returns the transformer that is registered under a name. If there is none, makes a transformer of the class with that
  /// name, and registers it. Nil if there is no such class either.
  ///
  /// Differs from Apple (D-ARC-12): the name of a class includes its module, as in `"App.ImageTransformer"`. A class whose name
  /// is given without a module is searched in the program's main module and in this module. If this is called on a subclass,
  /// the result is nil for a transformer of another class.
  public convenience init?(forName name: NSValueTransformerName) {
    self.init(_existing: TransformerRegistry.transformer(named: name))
  }

  /// Registers a transformer under a name; nil removes the registered one. May be called on any thread.
  open class func setValueTransformer(_ transformer: ValueTransformer?, forName name: NSValueTransformerName) {
    TransformerRegistry.register(transformer, name)
  }

  /// The names of all transformers that are registered.
  open class func valueTransformerNames() -> [NSValueTransformerName] {
    TransformerRegistry.names
  }

  /// The class of the values that `transformedValue(_:)` returns. Subclasses override this.
  open class func transformedValueClass() -> AnyClass { NSObject.self }

  /// Whether `reverseTransformedValue(_:)` is allowed; true unless a subclass overrides this.
  open class func allowsReverseTransformation() -> Bool { true }

  /// Transforms a value. Subclasses override this; this implementation returns the value unchanged.
  open func transformedValue(_ value: Any?) -> Any? { value }

  /// Transforms a value back. Unless a subclass overrides this, it returns the result of `transformedValue(_:)`.
  ///
  /// Stops the program if the class does not allow reverse transformation.
  open func reverseTransformedValue(_ value: Any?) -> Any? {
    guard Self.allowsReverseTransformation() else {
      raise(.invalidArgument, "\(Self.self) does not allow reverse transformation.")
    }
    return transformedValue(value)
  }
}

import Foundation

// `uuid as CVarArg` is how much code passes values to a format. Apple's types conform; here Foundation leaves out all but
// strings and numbers. As for String, `%@` of String(format:) gets the text of the value.

/// Lets `uuid as CVarArg` compile.
extension UUID: @retroactive CVarArg, @retroactive _CVarArgObject, _DescribedArgument {}

/// Lets `date as CVarArg` compile.
extension Date: @retroactive CVarArg, @retroactive _CVarArgObject, _DescribedArgument {}

/// Lets `data as CVarArg` compile.
extension Data: @retroactive CVarArg, @retroactive _CVarArgObject, _DescribedArgument {}

/// Lets `url as CVarArg` compile.
extension URL: @retroactive CVarArg, @retroactive _CVarArgObject, _DescribedArgument {}

/// Lets `decimal as CVarArg` compile.
extension Decimal: @retroactive CVarArg, @retroactive _CVarArgObject, _DescribedArgument {}

/// Lets `array as CVarArg` compile.
extension Array: @retroactive CVarArg, @retroactive _CVarArgObject, _DescribedArgument {}

/// Lets `set as CVarArg` compile.
extension Set: @retroactive CVarArg, @retroactive _CVarArgObject, _DescribedArgument {}

/// Lets `dictionary as CVarArg` compile.
extension Dictionary: @retroactive CVarArg, @retroactive _CVarArgObject, _DescribedArgument {}

/// Lets `object as CVarArg` compile.
extension NSObject: @retroactive CVarArg, @retroactive _CVarArgObject, _DescribedArgument {}

/// A value that goes into a format as an object.
public protocol _DescribedArgument: _CVarArgObject, CustomStringConvertible {}

extension _DescribedArgument {
  /// The text that `%@` of `String(format:)` prints, because Foundation crashes on objects other than strings there. A
  /// predicate takes the value out of it.
  public var _cVarArgObject: any CVarArg { (self as? NSString) ?? ArgumentString(description, value: self) }

  /// For a string its own reference, as Foundation encodes strings. For other objects a text, which is never released,
  /// because it cannot be known when it was read. Only code that makes an argument list without the standard library uses
  /// this.
  public var _cVarArgEncoding: [Int] {
    if let text = self as? NSString { return [Int(bitPattern: Unmanaged.passUnretained(text).toOpaque())] }
    return [Int(bitPattern: Unmanaged.passRetained(ArgumentString(description, value: self)).toOpaque())]
  }
}

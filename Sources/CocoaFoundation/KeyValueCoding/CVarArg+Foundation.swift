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
extension NSObject: @retroactive CVarArg {
  /// The reference itself, as Foundation encodes strings.
  public var _cVarArgEncoding: [Int] {
    [Int(bitPattern: Unmanaged.passUnretained(self).toOpaque())]
  }
}

/// A value that goes into a format as an object.
public protocol _DescribedArgument: _CVarArgObject, CustomStringConvertible {}

extension _DescribedArgument {
  /// The text that `%@` of `String(format:)` prints; a predicate takes the value out of it.
  public var _cVarArgObject: any CVarArg { ArgumentString(description, value: self) }

  /// Never read: the text stands in for the value.
  public var _cVarArgEncoding: [Int] { _cVarArgObject._cVarArgEncoding }
}

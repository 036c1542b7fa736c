import Foundation

// Much code passes values to a format as `uuid as CVarArg`. Apple's types conform to CVarArg; on this platform only
// Foundation's strings and numbers do. `%@` of String(format:) prints the text of such a value.

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

/// A value that is passed to a format as an object.
public protocol _DescribedArgument: _CVarArgObject, CustomStringConvertible {}

extension _DescribedArgument {
  /// The text that `%@` of `String(format:)` prints: Core Foundation crashes on objects other than strings. A predicate takes
  /// the value from the ArgumentString.
  public var _cVarArgObject: any CVarArg { (self as? NSString) ?? ArgumentString(description, value: self) }

  /// The pointer to an NSString itself, as in Foundation, or to the text of another value. The text is never released, because
  /// it is unknown when it has been read. Only code that makes an argument list without the standard library uses this.
  public var _cVarArgEncoding: [Int] {
    if let text = self as? NSString { return [Int(bitPattern: Unmanaged.passUnretained(text).toOpaque())] }
    return [Int(bitPattern: Unmanaged.passRetained(ArgumentString(description, value: self)).toOpaque())]
  }
}

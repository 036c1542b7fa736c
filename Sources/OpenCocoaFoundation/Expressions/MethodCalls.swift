import Foundation

/// The methods that `FUNCTION(target, 'selector:', ...)` may name: without a runtime that calls methods by name, those
/// which a class lists (`OCDCallableByName`) or generated code does, and which key-value coding and strings offer.
enum MethodCalls {
  /// - Throws: `OCDEvaluationError` for a method that there is not, and for arguments that it does not take.
  static func call(_ selector: String, on target: Any?, _ arguments: [Any?]) throws -> Any? {
    guard let target = unwrapped(target), !isNull(target) else { return nil }
    if let object = target as? any OCDCallableByName,
      let method = CallableMethods.method(selector, of: type(of: object))
    {
      return try method.call(on: object, arguments)
    }
    if let type = type(of: target) as? AnyClass, let method = ClassMembers.table(of: type).methods[selector] {
      return try method.call(on: target as AnyObject, arguments)
    }
    switch selector {
    case _ where !selector.contains(":"): return try KeyValueCoding.askedValue(of: target, forKey: selector)
    case "valueForKey:", "objectForKey:":
      if let key = arguments.first as? String { return try KeyValueCoding.askedValue(of: target, forKey: key) }
    case "valueForKeyPath:":
      if let path = arguments.first as? String { return try KeyValueCoding.askedValue(of: target, forKeyPath: path) }
    case "stringByAppendingString:":
      if let string = target as? String, let suffix = arguments.first as? String { return string + suffix }
    default: break
    }
    throw OCDEvaluationError(
      "-[\(type(of: target)) \(selector)]: unrecognized selector sent to instance \(ValueText.of(target))")
  }
}

import Foundation

/// Calls the methods that `FUNCTION(target, 'selector:', ...)` names. No runtime calls methods by name here, so only these
/// can be called: the methods that a class lists (`OCDCallableByName`), those that generated code lists, properties that
/// key-value coding finds, and a few methods of key-value coding and strings.
enum MethodCalls {
  /// - Throws: `OCDEvaluationError` if there is no such method, or if it does not accept the arguments.
  static func call(_ selector: String, on target: Any?, _ arguments: [Any?]) throws -> Any? {
    guard let target = unwrapped(target), !isNull(target) else { return nil }
    if let object = target as? any OCDCallableByName,
      let method = CallableMethods.method(selector, of: type(of: object))
    {
      return try method.call(on: object, arguments)
    }
    // A String is asked as the NSString that it is to Foundation; so are numbers, dates and the other values.
    let object = target as AnyObject
    if let method = ClassMembers.table(of: type(of: object)).methods[selector] {
      return try method.call(on: object, arguments)
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

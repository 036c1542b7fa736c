import Foundation

/// The methods that `FUNCTION(target, 'selector:', ...)` may name: without a runtime that calls methods by name, those
/// which a class lists (`OCDCallableByName`) or generated code does, and which key-value coding and strings offer.
enum MethodCalls {
  static func call(_ selector: String, on target: Any?, _ arguments: [Any?]) -> Any? {
    guard let target = unwrapped(target), !(target is NSNull) else { return nil }
    if let object = target as? any OCDCallableByName,
      let method = CallableMethods.method(selector, of: type(of: object))
    {
      return method.call(on: object, arguments)
    }
    if let type = type(of: target) as? AnyClass, let method = ClassMembers.table(of: type).methods[selector] {
      return method.call(on: target as AnyObject, arguments)
    }
    switch selector {
    case _ where !selector.contains(":"): return KeyValueCoding.value(of: target, forKey: selector)
    case "valueForKey:", "objectForKey:":
      if let key = arguments.first as? String { return KeyValueCoding.value(of: target, forKey: key) }
    case "valueForKeyPath:":
      if let path = arguments.first as? String { return KeyValueCoding.value(of: target, forKeyPath: path) }
    case "stringByAppendingString:":
      if let string = target as? String, let suffix = arguments.first as? String { return string + suffix }
    default: break
    }
    raise(.invalidArgument, "-[\(type(of: target)) \(selector)]: unrecognized selector sent to instance \(target)")
  }
}

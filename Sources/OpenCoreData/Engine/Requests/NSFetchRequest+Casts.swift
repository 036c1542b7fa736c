import Foundation
import OpenCocoaFoundation

/// `request <~! NSFetchRequest<Person>.self` is what `request as! NSFetchRequest<Person>` is on Apple's platforms.
infix operator <~! : CastingPrecedence

/// `request <~? NSFetchRequest<Person>.self` is what `request as? NSFetchRequest<Person>` is on Apple's platforms.
infix operator <~? : CastingPrecedence

/// The request with another result type; stops the program for anything but a fetch request.
///
/// The plugin `CoreDataRewriter` writes it in the place of casts; see `NSFetchRequest.retyped(to:)`.
public func <~! <ResultType>(request: Any?, type: NSFetchRequest<ResultType>.Type) -> NSFetchRequest<ResultType> {
  if let request = request <~? type { return request }
  raise(
    .invalidArgument, "Could not cast \(request.map { "a value of type \(Swift.type(of: $0))" } ?? "nil") to '\(type)'."
  )
}

/// The request with another result type; nil for anything but a fetch request.
///
/// The plugin `CoreDataRewriter` writes it in the place of casts; see `NSFetchRequest.retyped(to:)`.
public func <~? <ResultType>(request: Any?, type: NSFetchRequest<ResultType>.Type) -> NSFetchRequest<ResultType>? {
  (request as? any AnyFetchRequest)?.retyped(to: ResultType.self)
}

/// The same as `<~?`; in arguments of macros, which cannot take an operator of a client's apart.
public func _fetchRequest<ResultType>(
  _ request: Any?, _ type: NSFetchRequest<ResultType>.Type
) -> NSFetchRequest<ResultType>? {
  request <~? type
}

/// The same as `<~!`; in arguments of macros.
public func _forcedFetchRequest<ResultType>(
  _ request: Any?, _ type: NSFetchRequest<ResultType>.Type
) -> NSFetchRequest<ResultType> {
  request <~! type
}

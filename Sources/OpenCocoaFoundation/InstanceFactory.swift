import Foundation

/// A class whose initialisers may return an instance that was made elsewhere, for example one of a subclass.
///
/// An initialiser that a class declares can only fill the instance that it is called for. An initialiser in an extension of
/// a protocol may assign another instance to `self`.
protocol InstanceFactory {}

extension NSExpression: InstanceFactory {}
extension NSPredicate: InstanceFactory {}
extension NSSortDescriptor: InstanceFactory {}
extension ValueTransformer: InstanceFactory {}

extension InstanceFactory where Self: NSObject {
  /// Makes the instance that `object` returns the result of the initialiser. Stops the program if it has another class.
  init(_factory object: @autoclosure () throws -> NSObject) rethrows {
    let object = try object()
    guard let made = object as? Self else {
      raise(.invalidArgument, "An initialiser that \(Self.self) inherits makes a \(type(of: object)) instead.")
    }
    self = made
  }

  /// Makes the instance that `object` returns the result of the initialiser; nil if `object` returns nil or an instance of
  /// another class.
  init?(_existing object: @autoclosure () -> NSObject?) {
    guard let object = object() as? Self else { return nil }
    self = object
  }
}

import Foundation

/// A class whose initialisers may give an instance that is made elsewhere, of a subclass for example.
///
/// An initialiser of a class fills the instance that it is called for; only in an extension of a protocol may it put
/// another in its place.
protocol InstanceFactory {}

extension NSExpression: InstanceFactory {}
extension NSPredicate: InstanceFactory {}
extension NSSortDescriptor: InstanceFactory {}
extension ValueTransformer: InstanceFactory {}

extension InstanceFactory where Self: NSObject {
  /// Stands in for the instance that the initialiser was to fill.
  init(_factory object: @autoclosure () throws -> NSObject) rethrows {
    let object = try object()
    guard let made = object as? Self else {
      raise(.invalidArgument, "An initialiser that \(Self.self) inherits makes a \(type(of: object)) instead.")
    }
    self = made
  }

  /// Takes an existing instance in place of the one that the initialiser would fill; nil if there is none, or one of another
  /// class.
  init?(_existing object: @autoclosure () -> NSObject?) {
    guard let object = object() as? Self else { return nil }
    self = object
  }
}

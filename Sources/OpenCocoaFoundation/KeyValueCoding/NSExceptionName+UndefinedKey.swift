import Foundation

extension NSExceptionName {
  /// The exception of key-value coding for a key that an object does not have.
  public static let undefinedKeyException = NSExceptionName("NSUnknownKeyException")
}

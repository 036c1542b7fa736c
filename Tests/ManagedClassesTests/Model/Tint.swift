import CoreData

/// The class of a transformable attribute.
public final class Tint: NSObject, NSSecureCoding {
  public static let supportsSecureCoding = true
  public let name: String

  public init(_ name: String) { self.name = name }

  public init?(coder: NSCoder) {
    guard let name = coder.decodeObject(of: NSString.self, forKey: "name") else { return nil }
    self.name = String(name)
  }

  public func encode(with coder: NSCoder) { coder.encode(NSString(string: name), forKey: "name") }
}

import CocoaFoundation
import Foundation
import Testing

/// A coder that keeps what it is given as a tree: the smallest one that predicates can be coded with.
private final class TreeCoder: NSCoder {
  private(set) var fields: [String: Any]
  private var problem: (any Error)?

  init(_ fields: [String: Any] = [:]) { self.fields = fields }

  override var allowsKeyedCoding: Bool { true }
  override var error: (any Error)? { problem }
  override var allowedClasses: [AnyClass]? { nil }
  override func failWithError(_ error: any Error) { problem = problem ?? error }

  // MARK: Encoding

  static func tree(_ value: Any?) -> Any {
    switch value {
    case nil: return NSNull()
    case let array as NSArray: return array.map { tree($0) }
    case let value where value is NSString || value is NSNumber: return value ?? NSNull()
    case let object as NSObject & NSCoding:
      let coder = TreeCoder()
      object.encode(with: coder)
      var names: [String] = []
      var type: AnyClass? = object.classForKeyedArchiver
      while let current = type {
        names.append(NSStringFromClass(current))
        type = _getSuperclass(current)
      }
      return coder.fields.merging(["$classes": names]) { $1 }
    default: return NSNull()
    }
  }

  override func encode(_ object: Any?, forKey key: String) { fields[key] = Self.tree(object) }
  override func encode(_ value: Bool, forKey key: String) { fields[key] = value }
  override func encode(_ value: Int, forKey key: String) { fields[key] = value }

  // MARK: Decoding

  func object(_ tree: Any?) -> Any? {
    if let list = tree as? [Any] { return list.compactMap { object($0) } }
    guard let fields = tree as? [String: Any] else { return tree is NSNull ? nil : tree }
    let name = (fields["$classes"] as? [String])?.first ?? ""
    guard let type = ArchivedClasses.readers[name] as? any NSCoding.Type else { return nil }
    let coder = TreeCoder(fields)
    let made = type.init(coder: coder)
    if let error = coder.error { failWithError(error) }
    return made
  }

  override func containsValue(forKey key: String) -> Bool { fields[key] != nil }
  override func decodeObject(of classes: [AnyClass]?, forKey key: String) -> Any? { object(fields[key]) }
  override func decodeInteger(forKey key: String) -> Int { fields[key] as? Int ?? 0 }
  override func decodeBool(forKey key: String) -> Bool { fields[key] as? Bool ?? false }
}

@Suite("Coders of other kinds")
struct OtherCoderTests {
  @Test("Any keyed coder can take predicates and give them back")
  func tree() throws {
    for format in [
      "name BEGINSWITH[c] 'x' AND (age > 3.5 OR NOT owner.name == $x)", "ANY tags.name IN {'a', nil} OR FALSEPREDICATE",
      "SUBQUERY(list, $e, $e.a < max(b, 2)).@count > 0", "TERNARY(a == 1, SELF.x, list[FIRST]) != (a UNION b)",
    ] {
      let predicate = NSPredicate(format: format)
      let tree = TreeCoder.tree(predicate)
      #expect(TreeCoder().object(tree) as? NSPredicate == predicate)
    }
  }

  @Test("A failure is the coder's error")
  func failure() throws {
    var tree = try #require(TreeCoder.tree(NSPredicate(format: "a == 1")) as? [String: Any])
    tree["NSPredicateOperator"] = nil
    let coder = TreeCoder()
    #expect(coder.object(tree) == nil)
    #expect((coder.error as? CocoaError)?.code == .coderReadCorrupt)
  }
}

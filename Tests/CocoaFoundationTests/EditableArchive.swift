import Foundation

/// A keyed archive taken apart: references are `["CF$UID": number]`, as XML property lists write them.
struct EditableArchive {
  /// The objects, of which the first is nil and the second the root.
  var objects: [Any]

  init(_ objects: [Any]) { self.objects = objects }

  init(_ data: Data, root: String = "root") throws {
    let list = try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
    objects = (list?["$objects"] as? [Any] ?? []).map(Self.plain)
  }

  /// The archive with an object as root.
  func data(root: Int = 1) throws -> Data {
    let list: [String: Any] = [
      "$archiver": "NSKeyedArchiver", "$version": 100_000, "$top": ["root": Self.reference(root)], "$objects": objects,
    ]
    return try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0)
  }

  /// The name of an object's class.
  func className(_ index: Int) -> String? {
    guard objects.indices.contains(index), let object = objects[index] as? [String: Any],
      let type = (object["$class"] as? [String: Any])?["CF$UID"] as? Int, objects.indices.contains(type)
    else { return nil }
    return (objects[type] as? [String: Any])?["$classname"] as? String
  }

  static func reference(_ index: Int) -> [String: Any] { ["CF$UID": index] }

  private static func plain(_ value: Any) -> Any {
    if let list = value as? [Any] { return list.map(plain) }
    if let entries = value as? [String: Any] { return entries.mapValues(plain) }
    guard String(describing: type(of: value)) == "_NSKeyedArchiverUID" else { return value }
    return reference(Int(Mirror(reflecting: value).descendant("value") as? UInt32 ?? 0))
  }
}

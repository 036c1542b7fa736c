import Foundation

extension InspectedStore: VerifiedStore {
  func holds(_ entity: NSEntityDescription) -> Bool {
    !entity.isAbstract && schema?.entity(named: entity.name ?? "") != nil
  }

  func objects(of entity: NSEntityDescription) throws -> any VerifiedObjects {
    InspectedObjects(cursor: try ObjectCursor(entity: entity.name ?? "", in: self))
  }
}

private struct InspectedObjects: VerifiedObjects {
  let cursor: ObjectCursor

  func next() throws -> VerifiedObject? {
    try cursor.next().map { object in
      var attributes: [String: Any] = [:]
      for (keyPath, value) in object.attributes {
        guard let value = value.object else { continue }
        if keyPath.contains(".") {
          Self.set(value, at: keyPath.split(separator: ".").map(String.init)[...], in: &attributes)
        } else {
          attributes[keyPath] = value
        }
      }
      var members = Dictionary(uniqueKeysWithValues: object.toManys.map { ($0.name, $0.members) })
      for (name, destination) in object.toOnes { members[name] = destination.map { [$0] } ?? [] }
      return VerifiedObject(key: object.reference.key, attributes: attributes, members: members)
    }
  }

  /// Sets a value. The elements of a composite attribute go into a dictionary of their own.
  private static func set(_ value: Any, at path: ArraySlice<String>, in values: inout [String: Any]) {
    guard let name = path.first else { return }
    guard path.count > 1 else { return values[name] = value }
    var inner = values[name] as? [String: Any] ?? [:]
    set(value, at: path.dropFirst(), in: &inner)
    values[name] = inner
  }
}

extension InspectedValue {
  /// The value as an attribute holds it, except that transformable attributes and URIs are as the row holds them.
  fileprivate var object: Any? {
    switch self {
    case .null: nil
    case .bool(let value): NSNumber(value: value)
    case .integer(let value): NSNumber(value: value)
    case .real(let value): NSNumber(value: value)
    case .float(let value): NSNumber(value: value)
    case .decimal(let value): NSDecimalNumber(decimal: value)
    case .text(let value): value
    case .date(let seconds): Date(timeIntervalSinceReferenceDate: seconds)
    case .uuid(let value): value
    case .data(let value): value
    case .object(let reference): reference.text
    }
  }
}

import CoreData

/// Finds a title for an object among its values.
enum ObjectTitle {
  private static let usual = ["name", "title", "label", "displayName", "text"]

  /// Returns the beginning of the object's name; nil if the object has no name that may be shown.
  static func text(of object: NSManagedObject) -> String? {
    let attributes = object.entity.attributesByName.filter {
      $0.value.attributeType == .stringAttributeType && !$0.value.isSecret && !$0.value.isTransient
    }
    let names = usual.filter { attributes[$0] != nil } + attributes.keys.sorted()
    guard let name = names.first, let text = object.value(forKey: name) as? String, !text.isEmpty else { return nil }
    return text.count > 60 ? text.prefix(60) + "…" : text
  }
}

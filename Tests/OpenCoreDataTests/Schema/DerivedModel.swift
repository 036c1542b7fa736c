import CoreData

@_spi(Store) @testable import OpenCoreData

/// A model with every kind of derived attribute, and what they should be, computed in memory.
enum DerivedModel {
  static func derived(_ name: String, _ type: NSAttributeType, _ expression: NSExpression)
    -> NSDerivedAttributeDescription
  {
    let attribute = NSDerivedAttributeDescription()
    attribute.name = name
    attribute.attributeType = type
    attribute.isOptional = false
    attribute.derivationExpression = expression
    return attribute
  }

  static func function(_ name: String, _ path: String) -> NSExpression {
    NSExpression(forFunction: name, arguments: [NSExpression(forKeyPath: path)])
  }

  /// Owners have items, items have tags; a special owner is an owner.
  static func make() -> NSManagedObjectModel {
    let owner = TestModel.entity(
      "Owner",
      [
        TestModel.attribute("name", .stringAttributeType),
        derived("plain", .stringAttributeType, function("canonical:", "name")),
        derived("upper", .stringAttributeType, function("uppercase:", "name")),
        derived("lower", .stringAttributeType, function("lowercase:", "name")),
        derived("copy", .stringAttributeType, NSExpression(forKeyPath: "name")),
        derived("changed", .dateAttributeType, NSExpression(forFunction: "now", arguments: [])),
        derived("itemCount", .integer64AttributeType, function("count:", "items")),
        derived("total", .doubleAttributeType, function("sum:", "items.price")),
        derived("staffTotal", .integer64AttributeType, function("sum:", "staff.itemCount")),
        derived("tagTotal", .integer64AttributeType, function("sum:", "items.tagCount")),
      ])
    let special = TestModel.entity(
      "SpecialOwner",
      [
        derived("shout", .stringAttributeType, function("uppercase:", "name")),
        derived("specialCount", .integer32AttributeType, NSExpression(forKeyPath: "items.@count")),
      ], parent: owner)
    let item = TestModel.entity(
      "Item",
      [
        TestModel.attribute("price", .doubleAttributeType),
        derived("ownerName", .stringAttributeType, NSExpression(forKeyPath: "owner.name")),
        derived("bossName", .stringAttributeType, NSExpression(forKeyPath: "owner.boss.name")),
        derived("tagCount", .integer32AttributeType, function("count:", "tags")),
        derived("weight", .integer64AttributeType, function("sum:", "tags.weight")),
      ])
    let cheap = derived("cheapCount", .integer32AttributeType, function("count:", "items"))
    let young = derived("newStaff", .integer32AttributeType, function("count:", "staff"))
    young.filteringPredicate = NSPredicate(format: "name BETWEEN {'N', 'NZ'} OR itemCount == 0")
    owner.properties.append(young)
    cheap.filteringPredicate = NSPredicate(format: "price < 10 AND price != nil")
    owner.properties.append(cheap)
    let heavy = derived("heavyCount", .integer16AttributeType, function("count:", "tags"))
    heavy.filteringPredicate = NSPredicate(format: "weight > 8")
    item.properties.append(heavy)
    let tag = TestModel.entity(
      "Tag",
      [
        TestModel.attribute("weight", .integer64AttributeType),
        derived("itemCount", .integer16AttributeType, function("count:", "items")),
      ])
    TestModel.relate(owner, "items", max: 0, item, "owner", max: 1)
    TestModel.relate(owner, "boss", max: 1, owner, "staff", max: 0)
    TestModel.relate(item, "tags", max: 0, tag, "items", max: 0)
    let model = NSManagedObjectModel()
    model.entities = [owner, special, item, tag]
    return model
  }

  /// The names and values of an object's derived attributes, as they should be; without the time.
  static func expected(_ object: NSManagedObject) -> [String: AnyHashable?] {
    let name = object.entity.name ?? ""
    func set(_ key: String) -> [NSManagedObject] { Array(object.value(forKey: key) as? Set<NSManagedObject> ?? []) }
    switch name {
    case "Owner", "SpecialOwner":
      let text = object.value(forKey: "name") as? String
      let items = set("items")
      let prices = items.map { $0.value(forKey: "price") as? Double }
      var result: [String: AnyHashable?] = [
        "plain": text?.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil),
        "upper": text?.uppercased(), "lower": text?.lowercased(), "copy": text, "itemCount": items.count,
        "total": prices.reduce(0) { $0 + ($1 ?? 0) }, "cheapCount": prices.filter { $0.map { $0 < 10 } ?? false }.count,
        "newStaff": set("staff").filter {
          let text = $0.value(forKey: "name") as? String
          return text.map { $0 >= "N" && $0 <= "NZ" } ?? false
            || ($0.value(forKey: "items") as? Set<NSManagedObject>)?.isEmpty == true
        }.count,
        "staffTotal": set("staff").reduce(0) {
          $0 + (($1.value(forKey: "items") as? Set<NSManagedObject>)?.count ?? 0)
        },
        "tagTotal": items.reduce(0) { $0 + (($1.value(forKey: "tags") as? Set<NSManagedObject>)?.count ?? 0) },
      ]
      if name == "SpecialOwner" {
        result["shout"] = text?.uppercased()
        result["specialCount"] = items.count
      }
      return result
    case "Item":
      let owner = object.value(forKey: "owner") as? NSManagedObject
      return [
        "ownerName": owner?.value(forKey: "name") as? String,
        "bossName": (owner?.value(forKey: "boss") as? NSManagedObject)?.value(forKey: "name") as? String,
        "tagCount": set("tags").count,
        "heavyCount": set("tags").filter { $0.value(forKey: "weight") as? Int ?? 0 > 8 }.count,
        "weight": set("tags").reduce(0) { $0 + ($1.value(forKey: "weight") as? Int ?? 0) },
      ]
    default: return ["itemCount": set("items").count]
    }
  }

  /// What differs from that, object by object.
  static func differences(in context: NSManagedObjectContext) throws -> [String] {
    try ["Owner", "Item", "Tag"].flatMap { try context.all($0) }.flatMap { object in
      expected(object).compactMap { name, wanted in
        let value = object.value(forKey: name) as? AnyHashable
        let same =
          (value as? NSNumber).map { $0.doubleValue == (wanted as? NSNumber)?.doubleValue } ?? (value == wanted)
        return same ? nil : "\(object.objectID.uriRepresentation().path).\(name): \(value as Any), not \(wanted as Any)"
      }
    }.sorted()
  }
}

import CoreData

@_spi(Store) @testable import OpenCoreData

/// Models for batch requests, and what a file has.
enum BatchModel {
  /// Products with attributes of all kinds, among them books; names and codes are unique where asked for.
  static func products(unique: Bool = false) -> NSManagedObjectModel {
    let picture = TestModel.attribute("picture", .binaryDataAttributeType)
    picture.allowsExternalBinaryDataStorage = true
    let labels = TestModel.attribute("labels", .transformableAttributeType)
    let mood = TestModel.attribute("mood", .stringAttributeType)
    mood.isTransient = true
    let size = NSCompositeAttributeDescription()
    (size.name, size.isOptional) = ("size", true)
    size.elements = [
      TestModel.attribute("width", .doubleAttributeType, optional: false),
      TestModel.attribute("unit", .stringAttributeType),
    ]
    let product = TestModel.entity(
      "Product",
      [
        TestModel.attribute("name", .stringAttributeType, optional: false),
        TestModel.attribute("code", .integer64AttributeType),
        TestModel.attribute("stock", .integer16AttributeType, 3), TestModel.attribute("rank", .integer32AttributeType),
        TestModel.attribute("price", .decimalAttributeType), TestModel.attribute("made", .dateAttributeType),
        TestModel.attribute("weight", .doubleAttributeType), TestModel.attribute("height", .floatAttributeType),
        TestModel.attribute("isNew", .booleanAttributeType, true), TestModel.attribute("serial", .UUIDAttributeType),
        TestModel.attribute("link", .URIAttributeType), picture, labels, mood, size,
        derived("upper", .stringAttributeType, NSExpression(forFunction: "uppercase:", arguments: [path("name")])),
      ])
    let book = TestModel.entity("Book", [TestModel.attribute("pages", .integer32AttributeType)], parent: product)
    let shop = TestModel.entity(
      "Shop",
      [
        TestModel.attribute("name", .stringAttributeType),
        derived(
          "productCount", .integer64AttributeType, NSExpression(forFunction: "count:", arguments: [path("products")])),
        derived(
          "weight", .doubleAttributeType, NSExpression(forFunction: "sum:", arguments: [path("products.weight")])),
      ])
    TestModel.relate(shop, "products", max: 0, product, "shop", max: 1)
    if unique { product.uniquenessConstraints = [["name"], ["code"]] }
    let base = TestModel.entity("Base", [TestModel.attribute("name", .stringAttributeType)])
    base.isAbstract = true
    let model = NSManagedObjectModel()
    model.entities = [product, book, shop, base]
    return model
  }

  static func path(_ path: String) -> NSExpression { NSExpression(forKeyPath: path) }

  static func derived(_ name: String, _ type: NSAttributeType, _ expression: NSExpression)
    -> NSDerivedAttributeDescription
  {
    let attribute = NSDerivedAttributeDescription()
    (attribute.name, attribute.attributeType, attribute.isOptional) = (name, type, true)
    attribute.derivationExpression = expression
    return attribute
  }

  /// Nodes (leaves among them) with every kind of relationship, whose delete rules, order and optionality `choose` gives.
  static func graph(
    rule choose: (String) -> NSDeleteRule = { _ in .nullifyDeleteRule }, isOrdered: Bool = false,
    isMandatory: (String) -> Bool = { _ in false }
  ) -> NSManagedObjectModel {
    let name = TestModel.attribute("name", .stringAttributeType)
    name.preservesValueInHistoryOnDeletion = true
    let node = TestModel.entity("Node", [name, TestModel.attribute("age", .integer16AttributeType)])
    let leaf = TestModel.entity("Leaf", [TestModel.attribute("color", .stringAttributeType)], parent: node)
    let box = TestModel.entity(
      "Box",
      [
        TestModel.attribute("name", .stringAttributeType),
        derived("nodeCount", .integer64AttributeType, NSExpression(forFunction: "count:", arguments: [path("nodes")])),
      ])
    let tag = TestModel.entity(
      "Tag",
      [
        TestModel.attribute("name", .stringAttributeType),
        derived("nodeCount", .integer64AttributeType, NSExpression(forFunction: "count:", arguments: [path("nodes")])),
      ])
    let card = TestModel.entity("Card", [TestModel.attribute("name", .stringAttributeType)])
    TestModel.relate(node, "children", max: 0, node, "parent", max: 1)
    TestModel.relate(box, "nodes", max: 0, node, "box", max: 1)
    TestModel.relate(node, "tags", max: 0, tag, "nodes", max: 0)
    TestModel.relate(node, "card", max: 1, card, "node", max: 1)
    let friends = NSRelationshipDescription()
    (friends.name, friends.destinationEntity, friends.maxCount) = ("friends", node, 0)
    friends.inverseRelationship = friends
    node.properties.append(friends)
    let home = NSRelationshipDescription()
    (home.name, home.destinationEntity, home.maxCount) = ("home", box, 1)
    leaf.properties.append(home)
    for entity in [node, leaf, box, tag, card] {
      for case let relationship as NSRelationshipDescription in entity.declaredProperties {
        relationship.deleteRule = choose("\(entity.name!).\(relationship.name)")
        relationship.isOptional = !isMandatory("\(entity.name!).\(relationship.name)")
        relationship.isOrdered = isOrdered && ["nodes", "tags"].contains(relationship.name)
      }
    }
    let model = NSManagedObjectModel()
    model.entities = [node, leaf, box, tag, card]
    return model
  }

  /// Every row of every table but for the metadata's and the history's, each as text.
  static func contents(_ url: URL, withoutVersions: Bool = false) throws -> [String] {
    let database = try PlainDatabase(url)
    let left = ["Z_METADATA", "Z_MODELCACHE", "ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"]
    return try database.tables().filter { !left.contains($0) }.flatMap { table in
      let columns = try database.columns(table)
      let wanted = columns.filter { !withoutVersions || $0 != "Z_OPT" }
      let names = wanted.map { "\"\($0)\"" }.joined(separator: ", ")
      return try database.rows("SELECT \(names) FROM \"\(table)\"").map { row in
        "\(table): " + zip(wanted, row).map { "\($0) \($1)" }.joined(separator: ", ")
      }.sorted()
    }
  }
}

extension NSManagedObjectContext {
  func insertBatch(_ request: NSBatchInsertRequest, _ type: NSBatchInsertRequestResultType = .count) throws -> Any? {
    request.resultType = type
    return (try execute(request) as? NSBatchInsertResult)?.result
  }

  /// Deletes what a predicate finds, and gives the number.
  @discardableResult
  func deleteBatch(
    _ entity: String, where format: String? = nil, _ type: NSBatchDeleteRequestResultType = .resultTypeCount,
    subentities: Bool = true
  ) throws -> Any? {
    let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: entity)
    fetch.predicate = format.map { NSPredicate(format: $0) }
    fetch.includesSubentities = subentities
    let request = NSBatchDeleteRequest(fetchRequest: fetch)
    request.resultType = type
    return (try execute(request) as? NSBatchDeleteResult)?.result
  }

  func count(_ entity: String, where format: String? = nil) throws -> Int {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
    request.predicate = format.map { NSPredicate(format: $0) }
    return try count(for: request)
  }
}

#if PostgreSQL
  import CoreData

  /// Models for batch requests.
  enum BatchModels {
    static func attribute(
      _ name: String, _ type: NSAttributeType, optional: Bool = true, _ value: Any? = nil
    ) -> NSAttributeDescription {
      let attribute = NSAttributeDescription()
      (attribute.name, attribute.attributeType, attribute.isOptional) = (name, type, optional)
      attribute.defaultValue = value
      return attribute
    }

    static func derived(
      _ name: String, _ type: NSAttributeType, _ expression: NSExpression
    ) -> NSDerivedAttributeDescription {
      let attribute = NSDerivedAttributeDescription()
      (attribute.name, attribute.attributeType, attribute.isOptional) = (name, type, true)
      attribute.derivationExpression = expression
      return attribute
    }

    static func function(_ name: String, _ path: String) -> NSExpression {
      NSExpression(forFunction: name, arguments: [NSExpression(forKeyPath: path)])
    }

    static func entity(
      _ name: String, _ properties: [NSPropertyDescription], parent: NSEntityDescription? = nil
    ) -> NSEntityDescription {
      let entity = NSEntityDescription()
      (entity.name, entity.properties) = (name, properties)
      parent?.subentities.append(entity)
      return entity
    }

    /// Relates two entities; a count of 0 is a to-many relationship.
    static func relate(
      _ first: NSEntityDescription, _ firstName: String, max firstMax: Int, _ second: NSEntityDescription,
      _ secondName: String, max secondMax: Int
    ) {
      let there = NSRelationshipDescription(), back = NSRelationshipDescription()
      (there.name, there.destinationEntity, there.maxCount, there.isOptional) = (firstName, second, firstMax, true)
      (back.name, back.destinationEntity, back.maxCount, back.isOptional) = (secondName, first, secondMax, true)
      (there.deleteRule, back.deleteRule) = (.nullifyDeleteRule, .nullifyDeleteRule)
      (there.inverseRelationship, back.inverseRelationship) = (back, there)
      first.properties.append(there)
      second.properties.append(back)
    }

    static func model(_ entities: [NSEntityDescription]) -> NSManagedObjectModel {
      let model = NSManagedObjectModel()
      model.entities = entities
      return model
    }

    /// Products with attributes of all kinds, among them books; shops count them, add up their weights, and give their names.
    /// - Parameter unique: the constraints of products.
    static func products(unique: [[String]] = []) -> NSManagedObjectModel {
      let picture = attribute("picture", .binaryDataAttributeType)
      picture.allowsExternalBinaryDataStorage = true
      let size = NSCompositeAttributeDescription()
      (size.name, size.isOptional) = ("size", true)
      size.elements = [
        attribute("width", .doubleAttributeType, optional: false), attribute("unit", .stringAttributeType),
      ]
      let product = entity(
        "Product",
        [
          attribute("tag", .stringAttributeType), attribute("name", .stringAttributeType, optional: false, "new"),
          attribute("code", .integer64AttributeType), attribute("stock", .integer16AttributeType, 3),
          attribute("rank", .integer32AttributeType), attribute("price", .decimalAttributeType),
          attribute("made", .dateAttributeType), attribute("weight", .doubleAttributeType),
          attribute("height", .floatAttributeType), attribute("isNew", .booleanAttributeType, true),
          attribute("serial", .UUIDAttributeType), attribute("link", .URIAttributeType), picture,
          attribute("labels", .transformableAttributeType), size,
          derived("upper", .stringAttributeType, function("uppercase:", "name")),
          derived("shopName", .stringAttributeType, NSExpression(forKeyPath: "shop.name")),
        ])
      let book = entity(
        "Book",
        [
          attribute("pages", .integer32AttributeType),
          derived("lower", .stringAttributeType, function("lowercase:", "name")),
        ], parent: product)
      let shop = entity(
        "Shop",
        [
          attribute("tag", .stringAttributeType), attribute("name", .stringAttributeType),
          derived("productCount", .integer64AttributeType, function("count:", "products")),
          derived("weight", .doubleAttributeType, function("sum:", "products.weight")),
        ])
      relate(shop, "products", max: 0, product, "shop", max: 1)
      product.uniquenessConstraints = unique
      return model([product, book, shop])
    }

    /// Nodes, leaves among them, with every kind of relationship, whose delete rules `choose` gives.
    static func graph(
      isOrdered: Bool = false, rule choose: (String) -> NSDeleteRule = { _ in .nullifyDeleteRule }
    ) -> NSManagedObjectModel {
      let name = attribute("tag", .stringAttributeType)
      name.preservesValueInHistoryOnDeletion = true
      let node = entity("Node", [name, attribute("age", .integer16AttributeType)])
      let leaf = entity("Leaf", [attribute("color", .stringAttributeType)], parent: node)
      let count = { derived("nodeCount", .integer64AttributeType, function("count:", "nodes")) }
      let box = entity("Box", [attribute("tag", .stringAttributeType), count()])
      let label = entity("Label", [attribute("tag", .stringAttributeType), count()])
      let card = entity("Card", [attribute("tag", .stringAttributeType)])
      relate(node, "children", max: 0, node, "parent", max: 1)
      relate(box, "nodes", max: 0, node, "box", max: 1)
      relate(node, "labels", max: 0, label, "nodes", max: 0)
      relate(node, "card", max: 1, card, "node", max: 1)
      let friends = NSRelationshipDescription(), home = NSRelationshipDescription()
      (friends.name, friends.destinationEntity, friends.maxCount) = ("friends", node, 0)
      friends.inverseRelationship = friends
      node.properties.append(friends)
      (home.name, home.destinationEntity, home.maxCount) = ("home", box, 1)
      leaf.properties.append(home)
      for entity in [node, leaf, box, label, card] {
        for case let relationship as NSRelationshipDescription in entity.properties {
          guard relationship.entity === entity else { continue }
          relationship.deleteRule = choose("\(entity.name ?? "").\(relationship.name)")
          relationship.isOptional = true
          relationship.isOrdered = isOrdered && ["nodes", "labels"].contains(relationship.name)
        }
      }
      return model([node, leaf, box, label, card])
    }
  }
#endif

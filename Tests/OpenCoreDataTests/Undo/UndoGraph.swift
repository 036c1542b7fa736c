import CoreData
import Testing

/// A model with every kind of relationship, and a picture of a graph in it that tells two graphs apart.
enum UndoGraph {
  /// Nodes (leaves among them) with a parent and children, an owner and items in order, friends, followers in order,
  /// a partner, parts that go with them, tags, and a best one without inverse.
  static func model() -> NSManagedObjectModel {
    let mood = TestModel.attribute("mood", .stringAttributeType, "calm")
    mood.isTransient = true
    let node = TestModel.entity(
      "Node",
      [
        TestModel.attribute("number", .integer64AttributeType), TestModel.attribute("name", .stringAttributeType),
        TestModel.attribute("weight", .doubleAttributeType), TestModel.attribute("data", .binaryDataAttributeType),
        mood,
      ])
    let leaf = TestModel.entity("Leaf", [TestModel.attribute("colour", .stringAttributeType, "green")], parent: node)
    let tag = TestModel.entity(
      "Tag",
      [TestModel.attribute("number", .integer64AttributeType), TestModel.attribute("name", .stringAttributeType)])
    TestModel.relate(node, "parent", max: 1, node, "children", max: 0)
    TestModel.relate(node, "owner", max: 1, node, "items", max: 0)
    TestModel.relate(node, "leaders", max: 0, node, "followers", max: 0)
    TestModel.relate(node, "whole", max: 1, node, "parts", max: 0, inverseRule: .cascadeDeleteRule)
    TestModel.relate(node, "tags", max: 0, tag, "nodes", max: 0)
    TestModel.relate(tag, "first", max: 1, node, "firstOf", max: 1)
    for name in ["items", "leaders", "followers"] { node.relationshipsByName[name]?.isOrdered = true }
    relate(node, "friends", max: 0)
    relate(node, "partner", max: 1)
    let best = NSRelationshipDescription()
    (best.name, best.destinationEntity, best.maxCount, best.isOptional) = ("best", node, 1, true)
    node.properties.append(best)
    let model = NSManagedObjectModel()
    model.entities = [node, leaf, tag]
    return model
  }

  private static func relate(_ entity: NSEntityDescription, _ name: String, max: Int) {
    let relationship = NSRelationshipDescription()
    (relationship.name, relationship.destinationEntity, relationship.maxCount) = (name, entity, max)
    relationship.isOptional = true
    relationship.inverseRelationship = relationship
    entity.properties.append(relationship)
  }

  static func coordinator(_ store: TestStore = .sqlite, url: URL? = nil) throws -> NSPersistentStoreCoordinator {
    try store.coordinator(model(), url: url)
  }

  /// Every object of the context with all its values; objects go by their numbers.
  static func picture(_ context: NSManagedObjectContext) throws -> [String] {
    try (context.all("Node") + context.all("Tag")).map(line).sorted()
  }

  /// What two pictures do not have in common.
  static func difference(_ found: [String], _ wanted: [String]) -> Comment {
    let more = Set(found).subtracting(wanted).sorted(), less = Set(wanted).subtracting(found).sorted()
    return "\nfound\n  \(more.joined(separator: "\n  "))\nin place of\n  \(less.joined(separator: "\n  "))"
  }

  static func line(_ object: NSManagedObject) -> String {
    let entity = object.entity
    var parts: [String] = []
    for name in entity.attributesByName.keys.sorted() where entity.attributesByName[name]?.isTransient == false {
      parts.append("\(name)=\(object.value(forKey: name).map { "\($0)" } ?? "nil")")
    }
    for (name, relationship) in entity.relationshipsByName.sorted(by: { $0.key < $1.key }) {
      if !relationship.isToMany {
        parts.append("\(name)=\(object.one(name).map(number) ?? "nil")")
      } else if relationship.isOrdered {
        parts.append("\(name)=[\(object.list(name).map(number).joined(separator: " "))]")
      } else {
        parts.append("\(name)={\(object.many(name).map(number).sorted().joined(separator: " "))}")
      }
    }
    return "\(entity.name ?? "") " + parts.joined(separator: ", ")
  }

  private static func number(_ object: NSManagedObject) -> String {
    (object.number("number").map { "\($0)" } ?? "?") + (object.isDeleted ? "(deleted)" : "")
  }
}

extension NSManagedObjectContext {
  /// Compares the graph with a picture of it.
  func expect(_ picture: [String], location: SourceLocation = #_sourceLocation) throws {
    let found = try UndoGraph.picture(self)
    #expect(found == picture, UndoGraph.difference(found, picture), sourceLocation: location)
  }
}

extension NSPersistentStoreCoordinator {
  /// Runs `body` in a new context with an undo manager of its own.
  func undoing<Result>(_ body: (NSManagedObjectContext, UndoManager) throws -> Result) throws -> Result {
    let context = TestModel.context(self), manager = UndoManager()
    return try context.performAndWait {
      context.undoManager = manager
      return try body(context, manager)
    }
  }
}

extension NSManagedObjectContext {
  /// Makes something and ends the event.
  @discardableResult
  func event<Result>(_ body: () throws -> Result) rethrows -> Result {
    let result = try body()
    processPendingChanges()
    return result
  }
}

import CoreData
import Foundation

/// Long chains of objects, on threads with little stack.
enum Chain {
  /// A thread of `stack` bytes has about 130 for each object, which the calls of a walk cannot do with. `SOAK=100` makes
  /// chains of 100,000.
  static let length = 1_000 * Soak.factor
  static let stack = 128 * 1024

  /// Links that a chain can be made of.
  enum Link: CaseIterable {
    /// A to-one without inverse.
    case next
    /// A to-one whose inverse is a to-many, set from either end.
    case parent, children
    /// An ordered to-many.
    case parts
    /// To-ones that lead to another entity and back.
    case twin
    /// A spine, each of whose objects has three more children.
    case tree
  }

  static func model() -> NSManagedObjectModel {
    let node = TestModel.entity("Node", [TestModel.attribute("name", .stringAttributeType)])
    let twin = TestModel.entity("Twin", [TestModel.attribute("name", .stringAttributeType)])
    toOne(node, "next", node, .cascadeDeleteRule)
    toOne(node, "twin", twin, .cascadeDeleteRule)
    toOne(twin, "node", node, .cascadeDeleteRule)
    TestModel.relate(node, "parent", max: 1, node, "children", max: 0, inverseRule: .cascadeDeleteRule)
    TestModel.relate(node, "whole", max: 1, node, "parts", max: 0, inverseRule: .cascadeDeleteRule)
    node.relationshipsByName["parts"]?.isOrdered = true
    let model = NSManagedObjectModel()
    model.entities = [node, twin]
    return model
  }

  private static func toOne(
    _ entity: NSEntityDescription, _ name: String, _ destination: NSEntityDescription, _ rule: NSDeleteRule
  ) {
    let relationship = NSRelationshipDescription()
    (relationship.name, relationship.destinationEntity, relationship.maxCount) = (name, destination, 1)
    relationship.deleteRule = rule
    relationship.isOptional = true
    entity.properties.append(relationship)
  }

  /// Makes a chain in a context, and names its objects by their places.
  /// - Returns: the object from which all others can be reached.
  @discardableResult
  static func make(_ link: Link, _ context: NSManagedObjectContext, _ length: Int = length) -> NSManagedObject {
    var last = context.make("Node", ["name": "0"])
    let first = last
    for place in 1..<length {
      let isTwin = link == .twin && place % 2 == 1
      let object = context.make(isTwin ? "Twin" : "Node", ["name": "\(place)"])
      join(last, object, link, isTwin, context)
      last = object
    }
    return link == .parent ? last : first
  }

  private static func join(
    _ last: NSManagedObject, _ object: NSManagedObject, _ link: Link, _ isTwin: Bool, _ context: NSManagedObjectContext
  ) {
    switch link {
    case .next: last.setValue(object, forKey: "next")
    case .parent: object.setValue(last, forKey: "parent")
    case .children: last.mutableSetValue(forKey: "children").add(object)
    case .parts: last.mutableOrderedSetValue(forKey: "parts").add(object)
    case .twin: last.setValue(object, forKey: isTwin ? "twin" : "node")
    case .tree:
      object.setValue(last, forKey: "parent")
      for _ in 0..<3 { context.make("Node", ["name": "leaf"]).setValue(last, forKey: "parent") }
    }
  }

  /// Walks a chain from its first object, so that each object holds the next one.
  /// - Returns: how many objects there are.
  @discardableResult
  static func walk(_ first: NSManagedObject?, _ link: Link) -> Int {
    var count = 0
    var current = first
    while let object = current {
      count += 1
      switch link {
      case .next, .parent: current = object.value(forKey: link == .next ? "next" : "parent") as? NSManagedObject
      case .twin:
        current = object.value(forKey: object.entity.name == "Node" ? "twin" : "node") as? NSManagedObject
      case .parts: current = (object.value(forKey: "parts") as? NSOrderedSet)?.firstObject as? NSManagedObject
      case .children, .tree:
        let members = object.value(forKey: "children") as? NSSet
        current = members?.compactMap { $0 as? NSManagedObject }.first { $0.value(forKey: "name") as? String != "leaf" }
      }
    }
    return count
  }

  static func first(_ context: NSManagedObjectContext, _ link: Link, _ length: Int = length) throws -> NSManagedObject {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Node")
    request.predicate = NSPredicate(format: "name == %@", link == .parent ? "\(length - 1)" : "0")
    guard let object = try context.fetch(request).first else { throw CocoaError(.coderValueNotFound) }
    return object
  }

  /// Runs `body` on a thread with little stack, and waits for it; what it throws stops the program.
  static func onSmallStack(_ body: @escaping () throws -> Void) {
    nonisolated(unsafe) let body = body
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
      do {
        try body()
      } catch {
        FileHandle.standardError.write(Data("\(error)\n".utf8))
        exit(2)
      }
      done.signal()
    }
    thread.stackSize = stack
    thread.start()
    done.wait()
  }

  /// Stops the program where something is not so.
  static func require(_ isSo: Bool, _ what: String, line: Int = #line) {
    if isSo { return }
    FileHandle.standardError.write(Data("line \(line): \(what)\n".utf8))
    exit(3)
  }

  static func context(_ model: NSManagedObjectModel = model(), type: String = NSSQLiteStoreType, url: URL? = nil)
    throws -> NSManagedObjectContext
  {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let place = type == NSInMemoryStoreType ? nil : url ?? URL(fileURLWithPath: "/dev/null")
    try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: place)
    return TestModel.context(coordinator)
  }

  static func child(of parent: NSManagedObjectContext) -> NSManagedObjectContext {
    let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    child.parent = parent
    return child
  }
}

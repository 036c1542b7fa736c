import CoreData
import Testing

/// Steps of two contexts, in words, over four nodes and two tags that nothing relates:
///
/// ```
/// policy overwrite
/// there: Tag 10.first=Node 1
/// there: save
/// here: read Node 2
/// here: Node 2.firstOf=Tag 10
/// here: delete Node 1
/// here: save
/// ```
///
/// The context here does not merge what the one there saves. Both ends must agree in the store after every save.
struct PolicyScript {
  static let policies = ["object trump", "store trump", "overwrite", "rollback"]

  private static func policy(_ name: Substring) -> NSMergePolicy {
    switch name {
    case "object trump": .mergeByPropertyObjectTrump
    case "store trump": .mergeByPropertyStoreTrump
    case "overwrite": .overwrite
    default: .rollback
    }
  }

  private let here: NSManagedObjectContext, there: NSManagedObjectContext
  private let coordinator: NSPersistentStoreCoordinator
  /// The objects that each context has had, so that their states stay.
  private var kept: [NSManagedObject] = []
  private var failures: [String] = []

  /// - Returns: where ends disagree.
  static func run(_ lines: [String], _ coordinator: NSPersistentStoreCoordinator) throws -> [String] {
    try coordinator.inContext { context in
      for object in try context.all("Node") + context.all("Tag") { context.delete(object) }
      for number in 0..<4 { _ = context.make("Node", ["number": number]) }
      for number in 10..<12 { _ = context.make("Tag", ["number": number]) }
      try context.save()
    }
    var script = PolicyScript(coordinator)
    for line in lines { try script.perform(line) }
    return script.failures
  }

  private init(_ coordinator: NSPersistentStoreCoordinator) {
    self.coordinator = coordinator
    (here, there) = (TestModel.context(coordinator), TestModel.context(coordinator))
  }

  private mutating func perform(_ line: String) throws {
    if line.hasPrefix("policy ") {
      here.mergePolicy = Self.policy(line.dropFirst(7))
      return
    }
    let parts = line.split(separator: ":", maxSplits: 1), words = parts[1].dropFirst()
    let context = parts[0] == "here" ? here : there
    try context.performAndWait {
      if words == "save" { return try save(context) }
      try edit(String(words), context)
      context.processPendingChanges()
    }
  }

  private mutating func edit(_ words: String, _ context: NSManagedObjectContext) throws {
    if words.hasPrefix("read ") {
      guard let object = try object(words.dropFirst(5), context) else { return }
      for name in object.entity.propertiesByName.keys.sorted() { _ = object.value(forKey: name) }
    } else if words.hasPrefix("delete ") {
      try object(words.dropFirst(7), context).map(context.delete)
    } else if words.hasSuffix(".name") {
      try object(words.dropLast(5), context)?.setValue("\(context === here)", forKey: "name")
    } else {
      let sides = words.split(separator: "="), ends = sides[0].split(separator: ".")
      guard let owner = try object(ends[0], context) else { return }
      let member = sides[1] == "nil" ? nil : try object(sides[1], context)
      if sides[1] != "nil", member == nil { return }
      owner.setValue(member, forKey: String(ends[1]))
    }
  }

  /// The object of that label, such as "Node 1"; nil if the context has deleted it, or finds none.
  private mutating func object(_ label: Substring, _ context: NSManagedObjectContext) throws -> NSManagedObject? {
    let words = label.split(separator: " ")
    if let object = kept.first(where: { $0.managedObjectContext === context && BothEnds.label($0) == label }) {
      return object.isDeleted ? nil : object
    }
    let request = NSFetchRequest<NSManagedObject>(entityName: String(words[0]))
    request.predicate = NSPredicate(format: "number == %@", NSNumber(value: Int(words[1]) ?? 0))
    guard let found = try context.fetch(request).first else { return nil }
    kept.append(found)
    return found.isDeleted ? nil : found
  }

  private mutating func save(_ context: NSManagedObjectContext) throws {
    do { try context.save() } catch {
      guard [133020, 1550, 133000, 1560].contains((error as NSError).code) else { throw error }
      return context.rollback()
    }
    failures += try coordinator.inContext { context in
      BothEnds.disagreements(of: try context.all("Node") + context.all("Tag")).map { "store: \($0)" }
    }
    // What the save was not about may still be of before the other's.
    context.refreshAllObjects()
    let all = try context.all("Node") + context.all("Tag")
    failures += BothEnds.disagreements(of: all).map { "context: \($0)" }
  }
}

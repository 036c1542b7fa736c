import CoreData
import Testing

/// Steps of several contexts over one graph (`UndoGraph`), in words, so that what fails can be cut down and read:
///
/// ```
/// A: policy overwrite
/// B: Tag 10.first=Node 1
/// B: save
/// A: read Node 2
/// A: Node 2.tags+Tag 10
/// A: delete Node 1
/// a: undo
/// A: save
/// A: merge
/// ```
///
/// A, B and C are contexts of the coordinator, a is a child of A and b one of B. Nothing merges by itself, apart from a
/// context that is told `automatic` before anything else; `merge` merges what others have saved, and refreshes all objects of
/// a child, as `refresh all` does in any context. Objects are named by their numbers: nodes 0 to 4, leaf 5, tags 10 to 12,
/// and what `insert Node 100` makes. A step whose object the context does not have does nothing.
///
/// Both ends of all relationships must agree in the store after every save; in a context at `check` and `check Node 1`,
/// which read what has not been read (`ContextScript+Checks`); and in every context at the end, when all is saved and merged.
struct ContextScript {
  static let policies = ["object trump", "store trump", "overwrite", "rollback"]
  static let names = ["A", "B", "C", "a", "b"]

  private static let labels = (0...4).map { "Node \($0)" } + ["Leaf 5"] + (10...12).map { "Tag \($0)" }

  let coordinator: NSPersistentStoreCoordinator
  let contexts: [String: NSManagedObjectContext]
  /// The objects that each context has had, so that their states stay.
  private(set) var kept: [String: [String: NSManagedObject]] = [:]
  /// What each context has read, or may have read, that is older than what it reads now.
  var doubts: [String: Set<Doubt>] = [:]
  /// The contexts that have refreshed all objects and not merged since: they are not told which objects are gone.
  var refreshed: Set<String> = []
  private var pending: [String: [Notification]] = [:]
  var failures: [String] = []

  /// - Returns: where ends disagree.
  static func run(_ lines: [String], _ coordinator: NSPersistentStoreCoordinator) throws -> [String] {
    try coordinator.inContext { context in
      for object in try context.all("Node") + context.all("Tag") { context.delete(object) }
      for number in 0..<6 { _ = context.make(number == 5 ? "Leaf" : "Node", ["number": number]) }
      for number in 10..<13 { _ = context.make("Tag", ["number": number]) }
      try context.save()
    }
    var script = ContextScript(coordinator)
    for line in lines {
      try script.perform(line)
      if !script.failures.isEmpty { return script.failures }
    }
    try script.end()
    return script.failures
  }

  private init(_ coordinator: NSPersistentStoreCoordinator) {
    self.coordinator = coordinator
    let top = ["A", "B", "C"].map { [coordinator] in ($0, TestModel.context(coordinator)) }
    let children = [("a", Tree.child(of: top[0].1)), ("b", Tree.child(of: top[1].1))]
    contexts = Dictionary(uniqueKeysWithValues: top + children)
    for (_, context) in contexts { context.automaticallyMergesChangesFromParent = false }
  }

  private mutating func perform(_ line: String) throws {
    let parts = line.split(separator: ":", maxSplits: 1)
    let name = String(parts[0]), words = String(parts[1].dropFirst())
    let context = try #require(contexts[name])
    switch words {
    case "automatic": context.automaticallyMergesChangesFromParent = true
    case "save": try save(name, context)
    case "merge": merge(name, context)
    case "check": try check(name, context)
    case let words where words.hasPrefix("check "): try check(name, context, only: String(words.dropFirst(6)))
    case let words where words.hasPrefix("policy "): context.mergePolicy = Self.policy(String(words.dropFirst(7)))
    default:
      try context.performAndWait {
        try edit(words, name, context)
        context.processPendingChanges()
      }
      noteChange(of: name)
    }
    settle()
  }

  /// Has contexts that merge by themselves do so, which happens in blocks of their queues.
  private mutating func settle() {
    for name in Self.names { contexts[name]?.performAndWait {} }
    settleDoubts()
  }

  static func policy(_ name: String) -> NSMergePolicy {
    switch name {
    case "object trump": .mergeByPropertyObjectTrump
    case "store trump": .mergeByPropertyStoreTrump
    case "overwrite": .overwrite
    case "rollback": .rollback
    default: .error
    }
  }

  // MARK: Edits

  private mutating func edit(_ words: String, _ name: String, _ context: NSManagedObjectContext) throws {
    switch words {
    case "undo": context.undoManager.map { if $0.canUndo { context.undo() } }
    case "redo": context.undoManager.map { if $0.canRedo { context.redo() } }
    case "rollback": context.rollback()
    case "fetch":
      for label in Self.labels { _ = try object(label[...], name, context) }
    case "undo manager": context.undoManager = UndoManager()
    case "refresh all": refreshAll(name, context)
    default:
      let verb = words.prefix { $0 != " " }, rest = words.dropFirst(verb.count + 1)
      switch verb {
      case "read":
        guard let object = try object(rest, name, context) else { return }
        for name in object.entity.propertiesByName.keys.sorted() { _ = object.value(forKey: name) }
      case "refresh": try object(rest, name, context).map { context.refresh($0, mergeChanges: true) }
      case "delete": try object(rest, name, context).map(context.delete)
      case "insert":
        let words = rest.split(separator: " ")
        kept[name, default: [:]][String(rest)] = context.make(String(words[0]), ["number": Int(words[1]) ?? 0])
      default: try relate(words, name, context)
      }
    }
  }

  /// `Node 1.parent=Node 2`, `Node 1.parent=nil`, `Node 1.tags+Tag 10`, `Node 1.tags-Tag 10`, `Node 1.name`, and
  /// `Node 1.items>0`, which puts the last member at that place.
  private mutating func relate(_ words: String, _ name: String, _ context: NSManagedObjectContext) throws {
    let sides = words.split(whereSeparator: { "=+->".contains($0) }), ends = sides[0].split(separator: ".")
    guard let owner = try object(ends[0], name, context) else { return }
    let key = String(ends[1])
    if sides.count == 1 { return owner.setValue(name, forKey: key) }
    if words.contains(">") {
      let members = owner.mutableOrderedSetValue(forKey: key), place = Int(sides[1]) ?? 0
      if place < members.count - 1 { members.moveObjects(at: IndexSet(integer: members.count - 1), to: place) }
      return
    }
    if sides[1] == "nil" { return owner.setValue(nil, forKey: key) }
    guard let member = try object(sides[1], name, context) else { return }
    if words.contains("=") {
      owner.setValue(member, forKey: key)
    } else if words.contains("+") {
      BothEnds.add(member, to: owner, key)
    } else {
      BothEnds.remove(member, from: owner, key)
    }
  }

  private mutating func object(
    _ label: Substring, _ name: String, _ context: NSManagedObjectContext
  ) throws -> NSManagedObject? {
    let words = label.split(separator: " ")
    if let object = kept[name]?[String(label)], object.managedObjectContext != nil {
      return object.isDeleted ? nil : object
    }
    let request = NSFetchRequest<NSManagedObject>(entityName: String(words[0]))
    request.predicate = NSPredicate(format: "number == %@", NSNumber(value: Int(words[1]) ?? 0))
    guard let found = try context.fetch(request).first else { return nil }
    kept[name, default: [:]][String(label)] = found
    return found.isDeleted ? nil : found
  }

  // MARK: Saves and merges

  private mutating func save(_ name: String, _ context: NSManagedObjectContext) throws {
    let saved = RecordedNotifications(.NSManagedObjectContextDidSave, of: context)
    noteSave(of: name)
    context.performAndWait {
      do { try context.save() } catch {
        // Conflicts, references to what others have deleted, objects that the parent has no more.
        if ![133020, 1550, 133000, 1560].contains((error as NSError).code) { failures.append("\(name): \(error)") }
        context.rollback()
        // Objects that the failed save was not about may have old rows, too.
        refreshAll(name, context)
      }
    }
    guard context.parent == nil else { return }
    for other in ["A", "B", "C"] where other != name { pending[other, default: []].append(saved.merged) }
    failures += try coordinator.inContext { context in
      BothEnds.disagreements(of: try context.all("Node") + context.all("Tag")).map { "store: \($0)" }
    }
  }

  private mutating func merge(_ name: String, _ context: NSManagedObjectContext) {
    context.performAndWait {
      if context.parent != nil { refreshAll(name, context) }
      for notification in pending[name] ?? [] { context.mergeChanges(fromContextDidSave: notification) }
    }
    pending[name] = nil
    noteMerge(of: name)
  }

  private mutating func refreshAll(_ name: String, _ context: NSManagedObjectContext) {
    context.refreshAllObjects()
    noteRefresh(of: name)
  }

  /// Saves and merges everything.
  private mutating func end() throws {
    for name in Self.names.reversed() {
      guard let context = contexts[name] else { continue }
      try save(name, context)
      settle()
    }
    for name in Self.names {
      guard let context = contexts[name] else { continue }
      merge(name, context)
      settle()
    }
    for name in Self.names {
      guard let context = contexts[name] else { continue }
      try check(name, context)
      try context.performAndWait {
        context.refreshAllObjects()
        let all = try context.all("Node") + context.all("Tag")
        failures += BothEnds.disagreements(of: all).map { "\(name): \($0)" }
      }
    }
  }
}

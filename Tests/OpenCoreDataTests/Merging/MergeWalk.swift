import CoreData
import Testing

@testable import OpenCoreData

/// Three contexts with children that edit one graph, save into it, and take over each other's saves in different ways,
/// step by step on one thread, so that a seed repeats a walk.
///
/// The model in memory is what each context holds unsaved of to-one relationships and of members: merging must leave it as
/// it is, and what the file has must show through everywhere else.
///
/// Saves find conflicts, after which the context takes its changes back, or which its merge policy resolves. Not walked is
/// refreshing objects without their changes.
struct MergeWalk {
  /// What the contexts do besides editing, saving and merging.
  enum Kind: String, CaseIterable, Sendable {
    case merging = "merging under changes"
    /// Saves resolve conflicts, each context by a policy of its own; most are not preceded by a merge.
    case policies = "saving by policies"
    /// Undo, redo and rollback between merges.
    case undoing = "undoing between merges"
  }

  /// How a context takes over what others have saved.
  enum Way { case byItself, byNotification, byRefreshing }

  /// A context, and the saves that it has still to merge.
  final class Place {
    let name: String, context: NSManagedObjectContext, way: Way, parent: Place?
    var pending: [Notification] = []
    /// Whether the parent has made changes that nothing has told the child of: what the child has read is of two states.
    var isBehind = false
    /// Whether a child that was behind has saved into this context: objects which only the child had read have their rows
    /// of then, for the next save to find conflicts.
    var hasOldRows = false
    /// All objects that the context was ever seen with stay alive, so that old states are met again.
    private(set) var kept: [NSManagedObject] = []
    private var known: Set<NSManagedObject> = []

    init(_ name: String, _ context: NSManagedObjectContext, _ way: Way, parent: Place? = nil) {
      (self.name, self.context, self.way, self.parent) = (name, context, way, parent)
      context.automaticallyMergesChangesFromParent = way == .byItself
    }

    func keep(_ objects: [NSManagedObject]) { kept += objects.filter { known.insert($0).inserted } }

    func letGo() { (kept, known) = ([], []) }

    /// Whether the context has taken over all that others have saved. One that has not may have read one end of a
    /// relationship before a save and the other end after it.
    var isCurrent: Bool {
      guard let parent else { return !hasOldRows && (way == .byItself || pending.isEmpty) }
      return !isBehind && parent.isCurrent
    }
  }

  static let toOnes = ["parent", "owner", "whole", "partner", "firstOf"]
  static let toManys = ["children", "items", "parts", "tags", "friends", "followers", "leaders"]

  let kind: Kind
  let coordinator: NSPersistentStoreCoordinator
  let file: URL?
  let places: [Place]
  var generator: SeededGenerator
  var log: [String] = []
  var failures: [String] = []
  private var nextNumber = 100

  init(_ kind: Kind = .merging, _ store: TestStore, url: URL?, seed: UInt64) throws {
    self.kind = kind
    coordinator = try UndoGraph.coordinator(store, url: url)
    file = store.type == NSSQLiteStoreType ? url : nil
    generator = SeededGenerator(seed: seed)
    let first = kind == .policies ? Way.byNotification : .byItself
    let top = ["A": first, "B": .byNotification, "C": .byRefreshing].sorted { $0.key < $1.key }
      .map { [coordinator] in Place($0.key, TestModel.context(coordinator), $0.value) }
    let child = Place("a", Tree.child(of: top[0].context), .byItself, parent: top[0])
    let editor = Place("b", Tree.child(of: top[1].context), .byRefreshing, parent: top[1])
    places = top + [child, editor]
    for place in places { prepare(place) }
    try coordinator.inContext { context throws in
      for number in 0..<6 { _ = context.make(number == 5 ? "Leaf" : "Node", ["number": number]) }
      for number in 10..<13 { _ = context.make("Tag", ["number": number]) }
      try context.save()
    }
  }

  private mutating func prepare(_ place: Place) {
    let context = place.context
    switch kind {
    case .merging: break
    case .policies:
      let name = (ContextScript.policies + ["error"]).randomElement(using: &generator) ?? "error"
      log.append("\(place.name): policy \(name)")
      context.mergePolicy = ContextScript.policy(name)
    case .undoing: context.performAndWait { context.undoManager = UndoManager() }
    }
  }

  /// Takes steps until something does not agree.
  mutating func run(steps: Int) throws {
    for step in 0..<steps {
      let place = places.randomElement(using: &generator) ?? places[0]
      log.append("\(step) \(place.name):")
      switch Int.random(in: 0..<(kind == .undoing ? 24 : 18), using: &generator) {
      case 0..<9:
        try edit(place)
        for child in places where child.parent === place { child.isBehind = true }
      case 9..<12: try save(place)
      case 12..<15: if kind == .policies { try save(place) } else { try merge(place) }
      case 15: try refreshOne(place)
      case 18...:
        takeBack(place)
        for child in places where child.parent === place { child.isBehind = true }
      default: try mergeAll()
      }
      settleQueues()
      for child in places where child.parent === place && child.way == .byRefreshing { child.isBehind = true }
      try check(fully: step % 10 == 9)
      if !failures.isEmpty { return }
    }
    for place in places.reversed() {
      log.append("\(place.name):")
      try save(place)
      settleQueues()
    }
    log.append("end:")
    try mergeAll()
    try check(fully: true)
  }

  private mutating func note(_ text: String) { log[log.count - 1] += " " + text }

  /// Has contexts that merge by themselves do so.
  private func settleQueues() {
    for place in places where place.way == .byItself {
      place.context.performAndWait {}
      // What the parent has saved it has told.
      if let parent = place.parent, !parent.context.performAndWait({ parent.context.hasChanges }) {
        place.isBehind = false
      }
    }
  }

  // MARK: Edits

  private mutating func objects(_ place: Place) throws -> [NSManagedObject] {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Node")
    let tags = NSFetchRequest<NSManagedObject>(entityName: "Tag")
    for request in [request, tags] { request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)] }
    let found = try place.context.fetch(request) + place.context.fetch(tags)
    place.keep(found)
    return found
  }

  private mutating func edit(_ place: Place) throws {
    try place.context.performAndWait {
      let all = try objects(place)
      for _ in 0..<Int.random(in: 1...3, using: &generator) { editOnce(place, all.filter { !$0.isDeleted }) }
      if Bool.random(using: &generator) { place.context.processPendingChanges() }
    }
  }

  private mutating func editOnce(_ place: Place, _ all: [NSManagedObject]) {
    let nodes = all.filter { $0.entity.name != "Tag" }, tags = all.filter { $0.entity.name == "Tag" }
    guard let node = nodes.randomElement(using: &generator) else { return insert(place) }
    switch Int.random(in: 0..<12, using: &generator) {
    case 0..<5:
      let name = Self.toOnes.randomElement(using: &generator) ?? ""
      let other = (name == "firstOf" ? tags : nodes).randomElement(using: &generator)
      let value = Int.random(in: 0..<4, using: &generator) == 0 ? nil : other
      note("\(BothEnds.label(node)).\(name)=\(value.map(BothEnds.label) ?? "nil")")
      node.setValue(value, forKey: name)
    case 5..<9:
      let name = Self.toManys.randomElement(using: &generator) ?? ""
      let members = BothEnds.members(node, name)
      if !members.isEmpty, Bool.random(using: &generator) {
        let member =
          members.sorted { ($0.number("number") ?? 0) < ($1.number("number") ?? 0) }
          .randomElement(using: &generator) ?? members[0]
        note("\(BothEnds.label(node)).\(name)-\(BothEnds.label(member))")
        BothEnds.remove(member, from: node, name)
      } else if let member = (name == "tags" ? tags : nodes).randomElement(using: &generator) {
        note("\(BothEnds.label(node)).\(name)+\(BothEnds.label(member))")
        BothEnds.add(member, to: node, name)
      }
    case 9: insert(place)
    case 10:
      guard all.count > 5, let object = all.randomElement(using: &generator) else { return }
      note("delete \(BothEnds.label(object))")
      place.context.delete(object)
    default:
      let name = ["items", "followers", "leaders"].randomElement(using: &generator) ?? ""
      let count = node.mutableOrderedSetValue(forKey: name).count
      guard count > 1 else { return }
      let from = Int.random(in: 0..<count, using: &generator), to = Int.random(in: 0..<count, using: &generator)
      note("\(BothEnds.label(node)).\(name) \(from)->\(to)")
      node.mutableOrderedSetValue(forKey: name).moveObjects(at: IndexSet(integer: from), to: to)
    }
  }

  private mutating func insert(_ place: Place) {
    nextNumber += 1
    let entity = Int.random(in: 0..<4, using: &generator) == 0 ? "Tag" : "Node"
    note("insert \(entity) \(nextNumber)")
    place.keep([place.context.make(entity, ["number": nextNumber])])
  }

  private mutating func takeBack(_ place: Place) {
    place.context.performAndWait {
      guard let manager = place.context.undoManager else { return }
      switch Int.random(in: 0..<8, using: &generator) {
      case 0..<4 where manager.canUndo:
        note("undo")
        place.context.undo()
      case 4..<7 where manager.canRedo:
        note("redo")
        place.context.redo()
      case 7:
        note("rollback")
        place.context.rollback()
      default: break
      }
      place.context.processPendingChanges()
    }
  }

  // MARK: Saves

  private mutating func save(_ place: Place) throws {
    note("save")
    let saved = RecordedNotifications(.NSManagedObjectContextDidSave, of: place.context)
    try place.context.performAndWait {
      do { try place.context.save() } catch {
        note("failed \((error as NSError).code)")
        // Conflicts, references to what others have deleted, objects that the parent has no more.
        guard [133020, 1550, 133000, 1560].contains((error as NSError).code) else { throw error }
        place.context.rollback()
        // Objects that the failed save was not about may have old rows, too.
        place.context.refreshAllObjects()
      }
    }
    if let parent = place.parent {
      if place.isBehind { parent.hasOldRows = true }
      return
    }
    place.hasOldRows = false
    for other in places where other !== place && other.parent == nil { other.pending.append(saved.merged) }
    try compareStored()
  }

  /// A new context, and the file, say the same, and agree with themselves.
  private mutating func compareStored() throws {
    failures += try coordinator.inContext { context in
      BothEnds.disagreements(of: try context.all("Node") + context.all("Tag")).map { "new context: \($0)" }
    }
    guard let file, Int.random(in: 0..<4, using: &generator) == 0 else { return }
    failures += try StoreCheck.errors(file, model: UndoGraph.model()).map { "file: \($0)" }
  }

  // MARK: Merges

  private mutating func mergeAll() throws {
    for place in places where place.parent == nil { try merge(place) }
    settleQueues()
    for place in places where place.parent != nil { try merge(place) }
    settleQueues()
  }

  private mutating func merge(_ place: Place) throws {
    note("merge \(place.name)")
    place.context.performAndWait { place.context.processPendingChanges() }
    let held = held(by: place)
    place.context.performAndWait {
      switch place.way {
      case .byItself: break
      case .byNotification:
        for notification in place.pending {
          if Bool.random(using: &generator) {
            place.context.mergeChanges(fromContextDidSave: notification)
          } else {
            let ids = (notification.userInfo ?? [:]).mapValues {
              ($0 as? Set<NSManagedObjectID> ?? []).sorted { "\($0)" < "\($1)" }
            }
            NSManagedObjectContext.mergeChanges(fromRemoteContextSave: ids, into: [place.context])
          }
        }
      case .byRefreshing:
        place.context.refreshAllObjects()
        place.isBehind = false
      }
    }
    place.pending = []
    for child in places where child.parent === place && child.way == .byRefreshing { child.isBehind = true }
    if place.way == .byNotification { compare(held, place) }
  }

  private mutating func refreshOne(_ place: Place) throws {
    try place.context.performAndWait {
      guard let object = try objects(place).randomElement(using: &generator) else { return }
      note("refresh \(BothEnds.label(object))")
      place.context.refresh(object, mergeChanges: true)
    }
  }

  // MARK: What is held

  /// The to-one relationships that a context holds unsaved, by object and name.
  private func held(by place: Place) -> [NSManagedObject: [String: NSManagedObject?]] {
    place.context.performAndWait {
      var held: [NSManagedObject: [String: NSManagedObject?]] = [:]
      for object in place.context.updatedObjects {
        let changed = object.changedValues()
        for name in object.entity.relationshipsByName.keys where !(object.entity.relationshipsByName[name]!.isToMany) {
          if let value = changed[name] { held[object, default: [:]][name] = .some(value as? NSManagedObject) }
        }
      }
      return held
    }
  }

  /// Merging leaves what was held as it was, apart from objects that were deleted. A delete rule that has nullified is not
  /// held (D-REL-08).
  private mutating func compare(_ before: [NSManagedObject: [String: NSManagedObject?]], _ place: Place) {
    failures += place.context.performAndWait { () -> [String] in
      var found: [String] = []
      for (object, values) in before where !object.isDeleted && object.managedObjectContext != nil {
        for (name, value) in values {
          guard let value, !value.isDeleted, value.managedObjectContext != nil else { continue }
          if object.one(name) !== value {
            found.append("\(place.name): \(BothEnds.label(object)).\(name) was \(BothEnds.label(value)), unsaved")
          }
        }
      }
      return found
    }
  }

  // MARK: Checks

  /// The IDs of the objects that a new context in the place of this one finds.
  private static func present(in place: Place) -> Set<NSManagedObjectID> {
    let context: NSManagedObjectContext
    if let parent = place.parent {
      context = Tree.child(of: parent.context)
    } else {
      context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      context.persistentStoreCoordinator = place.context.persistentStoreCoordinator
    }
    return context.performAndWait {
      Set(["Node", "Tag"].flatMap { (try? context.all($0)) ?? [] }.map(\.objectID))
    }
  }

  /// Compares both ends of some objects, so that others stay unread, or of all, in contexts that have merged everything.
  private mutating func check(fully: Bool) throws {
    for place in places where place.isCurrent {
      place.context.performAndWait {
        place.context.processPendingChanges()
        if let stale = PendingObjects.staleObject(in: place.context) {
          failures.append("\(place.name): a change of \(stale.objectID) was not noted for fetches")
        }
        var objects = place.kept.filter { !$0.isDeleted && $0.managedObjectContext != nil && $0.faultingState != 2 }
        if place.way == .byRefreshing {
          // Refreshing does not delete an object whose row is gone; its save finds a conflict.
          let present = Self.present(in: place)
          objects = objects.filter { $0.isInserted || present.contains($0.objectID) }
        }
        let chosen = fully ? objects : objects.filter { _ in Int.random(in: 0..<4, using: &generator) == 0 }
        var ends = BothEnds.disagreements(of: chosen)
        // Nor is the context told what it must not relate any more, which has no values; its save refuses such a reference.
        if place.way == .byRefreshing { ends.removeAll { $0.hasSuffix(" ?, which is deleted") } }
        failures += ends.map { "\(place.name): \($0)" }
      }
    }
  }
}

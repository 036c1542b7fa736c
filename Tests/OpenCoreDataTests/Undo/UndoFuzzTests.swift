import CoreData
import Testing

/// Random events, undone and redone at random with saves in between: the graph must be what it was at each point.
@Suite struct UndoFuzzTests {
  @Test(arguments: RandomSeeds.seeds(4), TestStore.all)
  func everyPointOfTheStackComesBack(seed: UInt64, _ store: TestStore) throws { try walk(store, seed) }

  @Test(arguments: RandomSeeds.seeds(4), TestStore.all)
  func everyPointOfAChildsStackComesBack(seed: UInt64, _ store: TestStore) throws {
    try walk(store, seed, hasParent: true)
  }

  private func walk(_ store: TestStore, _ seed: UInt64, hasParent: Bool = false) throws {
    print("undo: SEED=\(seed), \(store.name)\(hasParent ? ", child" : "")")
    let url = try store.place()
    defer { store.remove(url) }
    let coordinator = try UndoGraph.coordinator(store, url: url)
    let file = store.type == NSSQLiteStoreType ? url : nil
    var walk = Walk(coordinator, seed: seed, file: file, hasParent: hasParent)
    try walk.context.performAndWait { try walk.run(steps: 90) }
  }
}

private struct Walk {
  let coordinator: NSPersistentStoreCoordinator
  let context: NSManagedObjectContext
  let manager = UndoManager()
  let file: URL?
  var generator: SeededGenerator
  /// All objects that there ever were, by number.
  var objects: [Int: NSManagedObject] = [:]
  /// The pictures of the stack, from before the first event.
  var pictures: [[String]] = [[]]
  var position = 0
  var next = 0

  init(_ coordinator: NSPersistentStoreCoordinator, seed: UInt64, file: URL?, hasParent: Bool) {
    self.coordinator = coordinator
    self.file = file
    context = hasParent ? NSManagedObjectContext(.privateQueue) : TestModel.context(coordinator)
    if hasParent { context.parent = TestModel.context(coordinator) }
    generator = SeededGenerator(seed: seed)
  }

  mutating func run(steps: Int) throws {
    context.undoManager = manager
    for step in 0..<steps {
      switch Int.random(in: 0..<10, using: &generator) {
      case 0..<4: try change()
      case 4, 5, 6:
        if position > 0 { position -= 1 }
        context.undo()
      case 7, 8:
        if position < pictures.count - 1 { position += 1 }
        context.redo()
      default:
        try save()
        try compareStored("step \(step)")
        if Bool.random(using: &generator) { context.refreshAllObjects() }
      }
      try compare("step \(step)")
    }
    while position > 0 {
      position -= 1
      context.undo()
      try compare("back to \(position)")
    }
    let rest = try UndoGraph.picture(context)
    try #require(!manager.canUndo && rest.isEmpty)
    while position < pictures.count - 1 {
      position += 1
      context.redo()
      try compare("on to \(position)")
    }
    try save()
    try compareStored("at the end")
  }

  private func save() throws {
    try context.save()
    try context.parent?.performAndWait { try context.parent?.save() }
  }

  // MARK: Comparing

  private func compare(_ when: String) throws {
    let picture = try UndoGraph.picture(context)
    try #require(picture == pictures[position], "\(when): \(UndoGraph.difference(picture, pictures[position]))")
    try #require(manager.undoCount == position && manager.redoCount == pictures.count - 1 - position, "\(when)")
    for object in try context.all("Node") + context.all("Tag") {
      try #require(object === objects[object.number("number") ?? -1], "\(when): the object is another one")
    }
  }

  private func compareStored(_ when: String) throws {
    try #require(!context.hasChanges)
    try coordinator.inContext { other throws in
      let picture = try UndoGraph.picture(other)
      try #require(
        picture == pictures[position], "stored, \(when): \(UndoGraph.difference(picture, pictures[position]))")
    }
    guard let file else { return }
    coordinator.emptyRowCache()
    try coordinator.inContext { other throws in
      try #require(try UndoGraph.picture(other) == pictures[position], "\(when)")
    }
    let rows = try PlainDatabase(file).rows("SELECT ZNUMBER, ZNAME FROM ZNODE UNION SELECT ZNUMBER, ZNAME FROM ZTAG")
    let lines = Set(rows.map { "number=\($0[0].integer ?? -1), name=\($0[1].text ?? "nil")" })
    let expected = try context.all("Node") + context.all("Tag")
    try #require(
      lines == Set(expected.map { "number=\($0.number("number") ?? -1), name=\($0.text("name") ?? "nil")" }), "\(when)")
  }

  // MARK: Changing

  private mutating func change() throws {
    let before = manager.undoCount
    let isGroup = Int.random(in: 0..<4, using: &generator) == 0
    if isGroup {
      manager.beginUndoGrouping()
      // A group that is ended empty is an action, too, and keeps what can be redone.
      try insert()
      context.processPendingChanges()
    }
    for _ in 0..<(isGroup ? Int.random(in: 1...3, using: &generator) : 1) {
      for _ in 0..<Int.random(in: 1...6, using: &generator) { try edit() }
      if Int.random(in: 0..<3, using: &generator) == 0 { try save() }
      if isGroup, Bool.random(using: &generator) { context.processPendingChanges() }
    }
    if isGroup { manager.endUndoGrouping() }
    context.processPendingChanges()
    let picture = try UndoGraph.picture(context)
    // What had no effect need not be an action.
    if manager.undoCount == position, manager.redoCount == pictures.count - 1 - position {
      return try #require(picture == pictures[position] && before == position)
    }
    pictures.removeSubrange((position + 1)...)
    pictures.append(picture)
    position += 1
  }

  private mutating func pick(_ entity: String) throws -> NSManagedObject? {
    let all = try context.all(entity)
    return all.isEmpty
      ? nil : all.sorted { $0.number("number")! < $1.number("number")! }.randomElement(using: &generator)
  }

  private mutating func edit() throws {
    let kind = Int.random(in: 0..<20, using: &generator)
    guard kind > 3, let node = try pick("Node"), let other = try pick("Node") else {
      return try insert()
    }
    switch kind {
    case 4, 5: node.setValue(["A", "B", "C", nil].randomElement(using: &generator)!, forKey: "name")
    case 6:
      node.setValue(Double.random(in: 0...1, using: &generator), forKey: "weight")
      node.setValue(Data(repeating: 7, count: Int.random(in: 0...3, using: &generator)), forKey: "data")
    case 7: node.setValue(Bool.random(using: &generator) ? other : nil, forKey: "parent")
    case 8: node.setValue(Bool.random(using: &generator) ? other : nil, forKey: "owner")
    case 9: node.setValue(Bool.random(using: &generator) ? other : nil, forKey: "partner")
    case 10: node.setValue(Bool.random(using: &generator) ? other : nil, forKey: "best")
    case 11: node.setValue(Bool.random(using: &generator) ? other : nil, forKey: "whole")
    case 12: toggle(node.mutableSetValue(forKey: "friends"), other)
    case 13: toggle(node.mutableSetValue(forKey: "children"), other)
    case 14, 15:
      guard let tag = try pick("Tag") else { return }
      toggle(node.mutableSetValue(forKey: "tags"), tag)
      if kind == 15 { tag.setValue(other, forKey: "first") }
    case 16, 17:
      let name = ["items", "leaders", "followers"].randomElement(using: &generator)!
      reorder(node.mutableOrderedSetValue(forKey: name), other)
    default:
      // A reference without inverse to a deleted object would keep the graph from being saved.
      let doomed = kind == 18 ? node : try pick("Tag") ?? node
      context.delete(doomed)
      if Bool.random(using: &generator) { context.delete(other) }
      var wave = [doomed, other]
      while let gone = wave.popLast() {
        for part in gone.entity.name == "Tag" ? [] : gone.many("parts") where !wave.contains(part) && !part.isDeleted {
          context.delete(part)
          wave.append(part)
        }
      }
      for node in try context.all("Node") where node.one("best")?.isDeleted == true {
        node.setValue(nil, forKey: "best")
      }
    }
  }

  private mutating func insert() throws {
    let entity = ["Node", "Node", "Leaf", "Tag"].randomElement(using: &generator)!
    let new = context.make(entity, ["number": next, "name": "n\(next)"])
    objects[next] = new
    next += 1
    if Int.random(in: 0..<4, using: &generator) == 0 { try context.obtainPermanentIDs(for: [new]) }
  }

  private func toggle(_ set: NSMutableSet, _ object: NSManagedObject) {
    if set.contains(object) { set.remove(object) } else { set.add(object) }
  }

  private mutating func reorder(_ list: NSMutableOrderedSet, _ object: NSManagedObject) {
    switch Int.random(in: 0..<5, using: &generator) {
    case 0, 1: list.insert(object, at: Int.random(in: 0...list.count, using: &generator))
    case 2: list.remove(object)
    case 3: list.add(object)
    default:
      guard list.count > 1 else { return }
      list.exchangeObject(at: 0, withObjectAt: list.count - 1)
    }
  }
}

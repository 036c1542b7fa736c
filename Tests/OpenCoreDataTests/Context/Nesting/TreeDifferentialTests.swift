import CoreData
import Testing

/// The same random operations on a tree of contexts and on plain dictionaries: equal at every step, and the file at the end.
@Suite struct TreeDifferentialTests {
  @Test(arguments: RandomSeeds.seeds(6), TestStore.all)
  func randomOperations(_ seed: UInt64, _ store: TestStore) throws {
    var run = try TreeRun(store, seed: seed)
    for step in 0..<150 {
      do {
        try run.step()
      } catch {
        Issue.record("SEED=\(seed), step \(step): \(error)\n\(run.log.joined(separator: "\n"))")
        return
      }
    }
    do {
      try run.finish()
    } catch {
      Issue.record("SEED=\(seed), at the end: \(error)\n\(run.log.joined(separator: "\n"))")
    }
  }
}

private struct TreeRun {
  struct Mismatch: Error, CustomStringConvertible { let description: String }

  /// The file of a SQLite store, which is read besides.
  let file: URL?
  let coordinator: NSPersistentStoreCoordinator
  var contexts: [Int: NSManagedObjectContext] = [:]
  var model = TreeModel()
  var random: SeededGenerator
  var log: [String] = []
  /// Some objects stay in memory, realised or not.
  var held: [Int: [NSManagedObject]] = [:]
  var nextPerson = 1
  var nextLevel = 1
  static let clubCount = 3

  init(_ store: TestStore, seed: UInt64) throws {
    let url = try store.place()
    file = store.type == NSSQLiteStoreType ? url : nil
    coordinator = try Society.coordinator(store, url: url)
    random = SeededGenerator(seed: seed)
    let root = TestModel.context(coordinator)
    try root.inside { root throws in
      for number in 0..<Self.clubCount { _ = root.make("Club", ["name": "c\(number)", "number": number]) }
      try root.save()
    }
    contexts[0] = root
    addLevel(below: 0)
    addLevel(below: 1)
  }

  mutating func addLevel(below parent: Int) {
    guard let context = contexts[parent] else { return }
    contexts[nextLevel] = Tree.child(of: context)
    model.levels[nextLevel] = TreeModel.Level(parent: parent)
    log.append("new \(nextLevel) below \(parent)")
    nextLevel += 1
  }

  mutating func step() throws {
    guard let level = contexts.keys.sorted().randomElement(using: &random), let context = contexts[level] else {
      return
    }
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<20: try context.inside { try insert($0, level) }
    case 20..<40: try context.inside { try setAttribute($0, level) }
    case 40..<50: try context.inside { try setBoss($0, level) }
    case 50..<58: try context.inside { try setMembership($0, level) }
    case 58..<62: try context.inside { try delete($0, level) }
    case 62..<74: try context.inside { try fetch($0, level) }
    case 74..<80: try context.inside { try compare($0, level) }
    case 80..<93: try save(level)
    case 93..<95: if model.mayRelate(at: level) { try rollback(context, level) }
    case 95..<97: if contexts.count < 6 { addLevel(below: level) }
    case 97: if level > 1 { discard(level) }
    default: try context.inside { try obtainIDs($0, level) }
    }
  }

  // MARK: Operations

  private func object(_ number: Int, _ context: NSManagedObjectContext, _ entity: String = "Person") throws
    -> NSManagedObject
  {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
    request.predicate = NSPredicate(format: "number == %d", number)
    let found = try context.fetch(request)
    guard found.count == 1 else { throw Mismatch(description: "\(entity) \(number): \(found.count) objects") }
    return found[0]
  }

  private mutating func visible(_ level: Int) -> Int? {
    model.everybody(from: level).sorted().randomElement(using: &random)
  }

  private mutating func insert(_ context: NSManagedObjectContext, _ level: Int) throws {
    let number = nextPerson
    nextPerson += 1
    let person = TreeModel.Person(name: "n\(number)", age: Int.random(in: 0..<5, using: &random), boss: nil)
    log.append("\(level): insert \(number)")
    let entity = ["Person", "Employee", "Manager"].randomElement(using: &random)!
    let made = context.make(entity, ["number": number, "name": person.name, "age": person.age])
    if Bool.random(using: &random) { held[level, default: []].append(made) }
    model.insert(number, person, at: level)
  }

  private mutating func setAttribute(_ context: NSManagedObjectContext, _ level: Int) throws {
    guard let number = visible(level) else { return }
    let person = try object(number, context)
    context.refresh(person, mergeChanges: true)
    model.refresh(number, at: level)
    if person.isFault || !person.hasChanges { context.refresh(person, mergeChanges: false) }
    let value = Int.random(in: 0..<5, using: &random)
    if Bool.random(using: &random) {
      log.append("\(level): age of \(number) = \(value)")
      person.setValue(value, forKey: "age")
      model.change(number, at: level) { $0.age = value }
    } else {
      log.append("\(level): name of \(number) = v\(value)")
      person.setValue("v\(value)", forKey: "name")
      model.change(number, at: level) { $0.name = "v\(value)" }
    }
    if Bool.random(using: &random) { held[level, default: []].append(person) }
  }

  private mutating func setBoss(_ context: NSManagedObjectContext, _ level: Int) throws {
    guard model.mayRelate(at: level), let number = visible(level), let other = visible(level) else { return }
    let old = model.person(number, from: level)?.boss
    let boss = Bool.random(using: &random) ? other : nil
    if boss == old { return }
    refreshAll(context, level)
    log.append("\(level): boss of \(number) = \(boss.map(String.init) ?? "nil")")
    let person = try object(number, context)
    let there = try boss.map { try object($0, context) }
    realise([person, person.one("boss"), there])
    if let there, Bool.random(using: &random) {
      there.mutableSetValue(forKey: "reports").add(person)
    } else {
      person.setValue(there, forKey: "boss")
    }
    // Both ends count as changed.
    model.change(number, at: level) { $0.boss = boss }
    for end in [old, boss] { if let end { model.change(end, at: level) { _ in } } }
  }

  private mutating func setMembership(_ context: NSManagedObjectContext, _ level: Int) throws {
    guard model.mayRelate(at: level), let number = visible(level) else { return }
    let club = Int.random(in: 0..<Self.clubCount, using: &random)
    let isMember = !model.clubs(from: level).contains(TreeModel.Membership(person: number, club: club))
    refreshAll(context, level)
    log.append("\(level): \(number) \(isMember ? "joins" : "leaves") club \(club)")
    let person = try object(number, context), there = try object(club, context, "Club")
    realise([person])
    let (owner, key, member) =
      Bool.random(using: &random) ? (person, "clubs", there) : (there, "members", person)
    let set = owner.mutableSetValue(forKey: key)
    if isMember { set.add(member) } else { set.remove(member) }
    model.set(isMember, TreeModel.Membership(person: number, club: club), at: level)
  }

  private mutating func delete(_ context: NSManagedObjectContext, _ level: Int) throws {
    guard model.mayRelate(at: level), let number = visible(level) else { return }
    refreshAll(context, level)
    log.append("\(level): delete \(number)")
    let person = try object(number, context)
    realise([person, person.one("boss")])
    context.delete(person)
    context.processPendingChanges()
    model.delete(number, at: level)
  }

  /// What changes relationships of a fault alone leaves its values to those above, which the dictionaries do not know.
  private func realise(_ objects: [NSManagedObject?]) {
    for object in objects { _ = object?.text("name") }
  }

  private mutating func rollback(_ context: NSManagedObjectContext, _ level: Int) throws {
    log.append("\(level): rollback")
    try context.inside { $0.rollback() }
    model.rollback(level)
  }

  private mutating func discard(_ level: Int) {
    guard !model.levels.contains(where: { $0.value.parent == level }) else { return }
    log.append("\(level): thrown away")
    held[level] = nil
    contexts[level] = nil
    model.levels[level] = nil
  }

  private mutating func obtainIDs(_ context: NSManagedObjectContext, _ level: Int) throws {
    guard let number = visible(level) else { return }
    log.append("\(level): permanent ID of \(number)")
    let person = try object(number, context)
    try context.obtainPermanentIDs(for: [person])
    if person.objectID.isTemporaryID { throw Mismatch(description: "\(number) has no permanent ID") }
  }

  private mutating func save(_ level: Int) throws {
    log.append("\(level): save")
    for number in [model.levels[level]?.parent, level] {
      // The dictionaries know no values that a context has read and not changed.
      guard let number, let context = contexts[number] else { continue }
      try context.inside { refreshAll($0, number) }
    }
    if model.isBehind(level) {
      // Another branch has deleted what was changed here: nothing goes up, and nothing is lost.
      let error = #expect(throws: NSError.self) { try contexts[level]?.inside { try $0.save() } }
      try check(error?.code == NSManagedObjectReferentialIntegrityError, "the save at \(level): \(error as Any)")
      if let context = contexts[level], model.isLowest(level) { try rollback(context, level) }
      return
    }
    try contexts[level]?.inside { try $0.save() }
    model.save(level)
    if let context = contexts[level] { try context.inside { try check($0.hasChanges == false, "still has changes") } }
  }

  private mutating func refreshAll(_ context: NSManagedObjectContext, _ level: Int) {
    context.refreshAllObjects()
    for number in model.levels[level]?.base.keys.sorted() ?? [] { model.refresh(number, at: level) }
  }

  // MARK: Comparing

  private func check(_ condition: Bool, _ what: @autoclosure () -> String) throws {
    if !condition { throw Mismatch(description: what()) }
  }

  private mutating func fetch(_ context: NSManagedObjectContext, _ level: Int) throws {
    let age = Int.random(in: 0..<5, using: &random)
    let predicates: [(String, (Int, TreeModel.Person) -> Bool)] = [
      ("age == \(age)", { $1.age == age }), ("age < \(age)", { $1.age < age }),
      ("name == 'v\(age)'", { $1.name == "v\(age)" }), ("boss == nil", { $1.boss == nil }),
      ("age >= \(age) AND name BEGINSWITH 'n'", { $1.age >= age && $1.name.hasPrefix("n") }),
    ]
    let (format, matches) = predicates[Int.random(in: 0..<predicates.count, using: &random)]
    log.append("\(level): fetch \(format)")
    let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
    request.predicate = NSPredicate(format: format)
    request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
    request.returnsObjectsAsFaults = Bool.random(using: &random)
    if Bool.random(using: &random) { request.fetchBatchSize = 3 }
    let model = model
    let expected = model.everybody(from: level).filter { number in
      model.person(number, from: level).map { matches(number, $0) } ?? false
    }.sorted()
    let limit = Int.random(in: 0..<6, using: &random), offset = Int.random(in: 0..<3, using: &random)
    try check(try context.count(for: request) == expected.count, "count of \(format) at \(level)")
    let found = try context.fetch(request)
    try check(found.compactMap { $0.number("number") } == expected, "\(format) at \(level): \(expected)")
    (request.fetchLimit, request.fetchOffset) = (limit, offset)
    let page = Array(expected.dropFirst(offset).prefix(limit == 0 ? .max : limit))
    try check(try context.fetch(request).compactMap { $0.number("number") } == page, "page of \(format) at \(level)")
    if Bool.random(using: &random) { held[level, default: []] += found }
  }

  private mutating func compare(_ context: NSManagedObjectContext, _ level: Int) throws {
    log.append("\(level): compare")
    refreshAll(context, level)
    try compare(context, from: level)
    if Bool.random(using: &random) { held[level] = nil }
  }

  private func compare(_ context: NSManagedObjectContext, from level: Int?) throws {
    let expected = model.everybody(from: level)
    let people = try context.all("Person", sortedBy: "number")
    let numbers = people.compactMap { $0.number("number") }
    try check(numbers == expected.sorted(), "people at \(level ?? -1): \(numbers), not \(expected.sorted())")
    let memberships = model.clubs(from: level)
    for object in people {
      let number = object.number("number")!
      let person = TreeModel.Person(
        name: object.text("name")!, age: object.number("age")!, boss: object.one("boss")?.number("number"))
      let wanted = model.person(number, from: level)
      try check(person == wanted, "\(number) at \(level ?? -1): \(person), not \(String(describing: wanted))")
      let reports = Set(object.many("reports").compactMap { $0.number("number") })
      try check(
        reports == expected.filter { model.person($0, from: level)?.boss == number },
        "reports of \(number) at \(level ?? -1): \(reports)")
      let clubs = Set(object.many("clubs").compactMap { $0.number("number") })
      try check(
        clubs == Set(memberships.lazy.filter { $0.person == number }.map(\.club)),
        "clubs of \(number) at \(level ?? -1): \(clubs)")
    }
    for club in try context.all("Club") {
      let members = Set(club.many("members").compactMap { $0.number("number") })
      try check(
        members == Set(memberships.lazy.filter { $0.club == club.number("number") }.map(\.person)),
        "members of club \(club.number("number")!) at \(level ?? -1): \(members)")
    }
  }

  mutating func finish() throws {
    for level in contexts.keys.sorted(by: >) {
      try save(level)
      for (other, context) in contexts { try context.inside { try compare($0, other) } }
    }
    for context in contexts.values {
      try context.inside { context throws in
        try check(context.registeredObjects.allSatisfy { !$0.objectID.isTemporaryID }, "a temporary ID is left")
      }
    }
    try coordinator.inContext { try compare($0, from: nil) }
    guard let file else { return }
    let rows = try PlainDatabase(file).rows(
      "SELECT p.ZNUMBER, p.ZNAME, p.ZAGE, b.ZNUMBER FROM ZPERSON p LEFT JOIN ZPERSON b ON b.Z_PK = p.ZBOSS")
    let stored = Dictionary(
      uniqueKeysWithValues: rows.map { row in
        let person = TreeModel.Person(
          name: row[1].text ?? "", age: Int(row[2].integer ?? -1), boss: row[3].integer.map(Int.init))
        return (Int(row[0].integer ?? 0), person)
      })
    try check(stored == model.people, "the file")
  }
}

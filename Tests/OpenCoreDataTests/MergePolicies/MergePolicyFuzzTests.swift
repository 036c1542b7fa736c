import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// Two contexts, of one coordinator or of two, edit the same few objects at random under random policies; a model in memory
/// says what each save leaves. The file is compared with it by SQLite alone. `SOAK=20` runs twenty times as many seeds.
@Suite struct MergePolicyFuzzTests {
  @Test(arguments: RandomSeeds.seeds(6), TestStore.all(that: .files))
  func randomEditsOfValues(_ seed: UInt64, _ store: TestStore) throws {
    var fuzz = try ValueFuzz(store, seed: seed)
    do {
      for _ in 0..<60 { try fuzz.step() }
    } catch {
      Issue.record("seed \(seed): \(error)\n\(fuzz.log.suffix(30).joined(separator: "\n"))")
    }
  }

  @Test(arguments: RandomSeeds.seeds(6), TestStore.all(that: .files))
  func randomEditsOfRelationships(_ seed: UInt64, _ store: TestStore) throws {
    var fuzz = try LinkFuzz(store, seed: seed)
    do {
      for _ in 0..<40 { try fuzz.step() }
    } catch {
      Issue.record("seed \(seed): \(error)\n\(fuzz.log.suffix(30).joined(separator: "\n"))")
    }
  }

  @Test(arguments: RandomSeeds.seeds(6), TestStore.all(that: .files))
  func randomEditsOfUniqueValues(_ seed: UInt64, _ store: TestStore) throws {
    var fuzz = try UniqueFuzz(store, seed: seed)
    do {
      for _ in 0..<40 { try fuzz.step() }
    } catch {
      Issue.record("seed \(seed): \(error)\n\(fuzz.log.suffix(30).joined(separator: "\n"))")
    }
  }
}

private struct Mismatch: Error, CustomStringConvertible {
  let description: String
}

private let allPolicies: [NSMergePolicyType] = [.errorMergePolicyType] + MergeWorld.policies

/// Attributes and a to-one relationship without an inverse: every value of every object is predicted.
private struct ValueFuzz {
  typealias Values = [String: Int]

  struct Edit {
    let version: Int64
    let base: Values
    var values: Values = [:]
    var isDeleted = false
  }

  var random: SeededGenerator
  let worlds: [MergeWorld]
  let contexts: [NSManagedObjectContext]
  var rows: [Int: (version: Int64, values: Values)] = [:]
  var edits: [[Int: Edit]] = [[:], [:]]
  var objects: [[Int: NSManagedObject]] = [[:], [:]]
  let keys = ["age", "number", "home"]
  var log: [String] = []

  init(_ store: TestStore, seed: UInt64) throws {
    random = SeededGenerator(seed: seed)
    let url = try store.place()
    let first = try MergeWorld(store, url: url)
    worlds = [first, seed % 2 == 0 ? first : try MergeWorld(store, url: url)]
    contexts = worlds.map { $0.context() }
    try first.coordinator.inContext { context throws in
      for number in 1...3 { _ = context.make("House", ["street": "\(number)"]) }
      for number in 0..<5 { _ = context.make("Person", ["name": "\(number)", "age": 0, "number": 0]) }
      try context.save()
    }
    for number in 0..<5 { rows[number] = (1, ["age": 0, "number": 0, "home": 0]) }
    for place in 0..<2 {
      objects[place] = try contexts[place].performAndWait {
        let people = try contexts[place].all("Person", sortedBy: "name")
        return Dictionary(uniqueKeysWithValues: people.enumerated().map { ($0, $1) })
      }
    }
  }

  private func values(_ object: NSManagedObject) -> Values {
    [
      "age": object.number("age") ?? 0, "number": object.number("number") ?? 0,
      "home": Int(object.one("home")?.text("street") ?? "0") ?? 0,
    ]
  }

  mutating func step() throws {
    let place = Int.random(in: 0...1, using: &random)
    for _ in 0..<Int.random(in: 1...4, using: &random) { try edit(place) }
    if Int.random(in: 0...2, using: &random) == 0 { try save(place) }
  }

  private mutating func edit(_ place: Int) throws {
    let context = contexts[place]
    guard let number = objects[place].keys.sorted().randomElement(using: &random), let object = objects[place][number]
    else { return }
    let key = keys.randomElement(using: &random) ?? "age", value = Int.random(in: 0...3, using: &random)
    let kind = Int.random(in: 0...11, using: &random)
    var edit = edits[place][number]
    try context.performAndWait {
      if edit?.isDeleted == true { return }
      if kind == 0, edit == nil { return context.refresh(object, mergeChanges: false) }
      if edit == nil {
        let base = values(object)
        // Gone already, and noticed by reading.
        guard let version = object.snapshot?.version else { return }
        edit = Edit(version: version, base: base)
      }
      if kind == 1 {
        context.delete(object)
        edit?.isDeleted = true
      } else {
        let house = try context.all("House", sortedBy: "street")
        object.setValue(key == "home" ? (value == 0 ? nil : house[value - 1]) : value as Any?, forKey: key)
        edit?.values[key] = value
      }
    }
    edits[place][number] = edit
    log.append("\(place): \(kind == 1 ? "delete" : kind == 0 ? "refresh" : "\(key) = \(value)") \(number)")
  }

  private mutating func save(_ place: Int) throws {
    let type = allPolicies.randomElement(using: &random) ?? .errorMergePolicyType
    let context = contexts[place]
    context.mergePolicy = NSMergePolicy(merge: type)
    var expected = rows, conflicts: Set<Int> = []
    for (number, edit) in edits[place] {
      let row = rows[number]
      if row?.version != edit.version { conflicts.insert(number) }
      expected[number] = Self.merged(edit, row, type)
    }
    log.append("\(place): save \(type) \(conflicts.sorted())")
    do {
      try context.performAndWait { try context.save() }
      if type == .errorMergePolicyType, !conflicts.isEmpty { throw Mismatch(description: "no error") }
    } catch let error as NSError where error.code == NSManagedObjectMergeError && type == .errorMergePolicyType {
      let found = context.performAndWait { Set(error.conflicts.compactMap { Int($0.sourceObject.text("name") ?? "") }) }
      let deleted = Set(conflicts.filter { number in edits[place][number]?.isDeleted == true })
      guard found.union(deleted) == conflicts, !conflicts.isEmpty else {
        throw Mismatch(description: "conflicts \(found), expected \(conflicts)")
      }
      try compare(rows)
      context.performAndWait { context.rollback() }
      edits[place] = [:]
      return
    }
    rows = expected
    try compare(rows)
    // The context shows what it has written or taken.
    let touched = edits[place].keys
    edits[place] = [:]
    try context.performAndWait {
      if context.hasChanges { throw Mismatch(description: "there still are changes") }
      for number in touched {
        guard let object = objects[place][number] else { continue }
        if let row = rows[number] {
          if object.managedObjectContext == nil || values(object) != row.values {
            throw Mismatch(description: "\(number) shows \(values(object)), expected \(row.values)")
          }
        } else if object.managedObjectContext != nil {
          throw Mismatch(description: "\(number) is still there")
        }
      }
    }
    for number in touched where rows[number] == nil { objects[place][number] = nil }
  }

  /// What the policy promises.
  static func merged(_ edit: Edit, _ row: (version: Int64, values: Values)?, _ type: NSMergePolicyType)
    -> (version: Int64, values: Values)?
  {
    let whole = edit.base.merging(edit.values) { $1 }
    guard let row else {
      // The version of the row that was deleted is not known.
      return !edit.isDeleted && type == .overwriteMergePolicyType ? (edit.version + 1_001, whole) : nil
    }
    if row.version == edit.version { return edit.isDeleted ? nil : (row.version + 1, whole) }
    if edit.isDeleted {
      let stays = type == .mergeByPropertyStoreTrumpMergePolicyType || type == .rollbackMergePolicyType
      return stays ? row : nil
    }
    let ours = edit.values.filter { edit.base[$0.key] != $0.value }
    let result: Values
    switch type {
    case .mergeByPropertyStoreTrumpMergePolicyType:
      result = row.values.merging(ours.filter { edit.base[$0.key] == row.values[$0.key] }) { $1 }
    case .mergeByPropertyObjectTrumpMergePolicyType: result = row.values.merging(ours) { $1 }
    case .overwriteMergePolicyType: result = whole
    default: result = row.values
    }
    return (row.version + (result == row.values ? 0 : 1), result)
  }

  private func compare(_ rows: [Int: (version: Int64, values: Values)]) throws {
    let file = try PlainDatabase(try #require(worlds[0].coordinator.persistentStores[0].url))
    let found = try file.rows(
      "SELECT p.ZNAME, p.Z_OPT, p.ZAGE, p.ZNUMBER, COALESCE(h.ZSTREET, '0') FROM ZPERSON p "
        + "LEFT JOIN ZHOUSE h ON h.Z_PK = p.ZHOME ORDER BY p.ZNAME")
    let expected = rows.sorted { $0.key < $1.key }.map { number, row in
      [
        "'\(number)'", "\(row.version)", "\(row.values["age"] ?? 0)", "\(row.values["number"] ?? 0)",
        "'\(row.values["home"] ?? 0)'",
      ]
    }
    if found.map({ $0.map { "\($0)" } }) != expected {
      throw Mismatch(description: "the file has \(found), expected \(expected)")
    }
  }
}

/// Names what is in conflict.
private final class NamingPolicy: NSMergePolicy {
  var conflicts: [String] = []

  override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
    let names = list.map { conflict in
      let object = conflict.sourceObject
      return
        "\(object.entity.name ?? "") \(object.objectID.uriRepresentation().lastPathComponent) \(conflict.newVersionNumber)"
    }
    conflicts.append("  " + names.joined(separator: ", "))
    try super.resolve(optimisticLockingConflicts: list)
  }
}

/// Relationships of all kinds: after every save no reference leads nowhere, both ends agree, and what the context has written
/// is what a fresh context reads.
private struct LinkFuzz {
  var random: SeededGenerator
  let worlds: [MergeWorld]
  let contexts: [NSManagedObjectContext]
  var nextName = 0
  var log: [String] = []
  static let kinds = ["Person": ["boss", "partner", "passport", "clubs", "friends", "reports"], "Club": ["members"]]
  static let targets = ["passport": "Passport", "clubs": "Club", "members": "Person"]

  init(_ store: TestStore, seed: UInt64) throws {
    random = SeededGenerator(seed: seed)
    let url = try store.place()
    let first = try MergeWorld(store, url: url)
    worlds = [first, seed % 2 == 0 ? first : try MergeWorld(store, url: url)]
    contexts = worlds.map { $0.context() }
    try first.coordinator.inContext { context throws in
      for number in 0..<5 { _ = context.make("Person", ["name": "\(number)"]) }
      for number in 0..<3 { _ = context.make("Club", ["name": "\(number)"]) }
      for number in 0..<3 { _ = context.make("Passport", ["number": number]) }
      try context.save()
    }
    for context in contexts { context.performAndWait { context.retainsRegisteredObjects = true } }
  }

  mutating func step() throws {
    let place = Int.random(in: 0...1, using: &random)
    let context = contexts[place]
    try context.performAndWait {
      for _ in 0..<Int.random(in: 1...4, using: &random) { try edit(context, place) }
      if Int.random(in: 0...1, using: &random) == 0 { try save(context, place) }
    }
  }

  private mutating func any(_ entity: String, _ context: NSManagedObjectContext) throws -> NSManagedObject? {
    let objects = try context.all(entity).filter { !$0.isDeleted && !$0.isFault || $0.faultingState != 0 }
    let live = objects.filter { $0.value(forKey: entity == "Passport" ? "number" : "name") != nil && !$0.isDeleted }
    return live.sorted { "\($0.objectID.key)" < "\($1.objectID.key)" }.randomElement(using: &random)
  }

  private mutating func edit(_ context: NSManagedObjectContext, _ place: Int) throws {
    let entity = Bool.random(using: &random) ? "Person" : ["Person", "Club"].randomElement(using: &random) ?? "Person"
    guard let object = try any(entity, context) else { return }
    switch Int.random(in: 0...9, using: &random) {
    case 0:
      log.append("\(place): delete \(name(object))")
      context.delete(object)
      context.processPendingChanges()
    case 1:
      nextName += 1
      _ = context.make(entity, ["name": "n\(nextName)"])
    case 2 where !context.hasChanges:
      context.refreshAllObjects()
    default:
      let key = Self.kinds[entity]?.randomElement(using: &random) ?? "members"
      guard let other = try any(Self.targets[key] ?? "Person", context), other !== object else { return }
      let slot = object.entity.relationshipsByName[key]
      if slot?.isToMany == true {
        let members = object.mutableSetValue(forKey: key)
        let isMember = members.contains(other)
        log.append("\(place): \(key) of \(name(object)) \(isMember ? "-" : "+") \(name(other))")
        if isMember { members.remove(other) } else { members.add(other) }
      } else {
        let new = Bool.random(using: &random) ? other : nil
        log.append("\(place): \(key) of \(name(object)) = \(new.map(name) ?? "nil")")
        object.setValue(new, forKey: key)
      }
    }
  }

  private func name(_ object: NSManagedObject) -> String {
    "\(object.entity.name ?? "") \(object.objectID.uriRepresentation().lastPathComponent)"
  }

  private mutating func save(_ context: NSManagedObjectContext, _ place: Int) throws {
    let type = MergeWorld.policies.randomElement(using: &random) ?? .rollbackMergePolicyType
    let policy = NamingPolicy(merge: type)
    context.mergePolicy = policy
    log.append("\(place): save \(type)")
    defer { log += policy.conflicts }
    let touched = context.updatedObjects.union(context.insertedObjects)
    try context.save()
    if context.hasChanges { throw Mismatch(description: "there still are changes") }
    let problems = try worlds[0].coordinator.problems() + joins()
    if !problems.isEmpty { throw Mismatch(description: "\(problems)") }
    let fresh = TestModel.context(worlds[place].coordinator)
    try fresh.performAndWait {
      for object in touched where object.managedObjectContext === context {
        let other = try fresh.existingObject(with: object.objectID)
        for (key, relationship) in object.entity.relationshipsByName where relationship.inverseRelationship != nil {
          let ours = identifiers(object, key, relationship.isToMany)
          let theirs = identifiers(other, key, relationship.isToMany)
          // Rows of others that nobody has touched here may be newer in the file: the file's own ends agree, as was looked
          // at above; what this object's row says must be shown.
          if !relationship.isToMany, ours != theirs {
            throw Mismatch(description: "\(key) of \(object.objectID) shows \(ours), the file has \(theirs)")
          }
        }
      }
    }
  }

  private func identifiers(_ object: NSManagedObject, _ key: String, _ isToMany: Bool) -> Set<NSManagedObjectID> {
    Set(isToMany ? object.many(key).map(\.objectID) : object.one(key).map { [$0.objectID] } ?? [])
  }

  /// Pairs that lead nowhere.
  private func joins() throws -> [String] {
    let file = try PlainDatabase(try #require(worlds[0].coordinator.persistentStores[0].url))
    var problems: [String] = []
    for table in try file.tables() where table.hasPrefix("Z_") && table.dropFirst(2).first?.isNumber == true {
      for column in try file.columns(table) where !column.contains("FOK") {
        let target = column.contains("CLUBS") ? "ZCLUB" : "ZPERSON"
        let count = try file.rows("SELECT COUNT(*) FROM \(table) WHERE \(column) NOT IN (SELECT Z_PK FROM \(target))")
        if count != [[.integer(0)]] { problems.append("\(table).\(column): \(count)") }
      }
    }
    return problems
  }
}

/// Values that must be unique: whatever the policy, the file never has two alike, and no order is lost.
private struct UniqueFuzz {
  var random: SeededGenerator
  let worlds: [MergeWorld]
  let contexts: [NSManagedObjectContext]
  var orders = 0
  var log: [String] = []

  init(_ store: TestStore, seed: UInt64) throws {
    random = SeededGenerator(seed: seed)
    let url = try store.place()
    let first = try MergeWorld(store, MergeWorld.accounts(), url: url)
    worlds = [first, seed % 2 == 0 ? first : try MergeWorld(store, MergeWorld.accounts(), url: url)]
    contexts = worlds.map { $0.context() }
  }

  mutating func step() throws {
    let place = Int.random(in: 0...1, using: &random)
    let context = contexts[place]
    let type = allPolicies.randomElement(using: &random) ?? .rollbackMergePolicyType
    context.mergePolicy = NSMergePolicy(merge: type)
    try context.performAndWait {
      if Int.random(in: 0...3, using: &random) == 0 { context.refreshAllObjects() }
      var new = 0
      for _ in 0..<Int.random(in: 1...5, using: &random) {
        let accounts = try context.all("Account").filter { !$0.isDeleted }
          .sorted { $0.objectID.key < $1.objectID.key }
        let letters = ["a", "b", "c", "d", nil]
        let email = letters.randomElement(using: &random) ?? nil
        if Bool.random(using: &random) || accounts.isEmpty {
          let account = context.make(Int.random(in: 0...4, using: &random) == 0 ? "Admin" : "Account")
          account.setValue(email, forKey: "email")
          account.setValue(letters.randomElement(using: &random) ?? nil, forKey: "first")
          account.setValue(letters.randomElement(using: &random) ?? nil, forKey: "last")
          context.make("Order", ["name": "o"]).setValue(account, forKey: "account")
          new += 1
          log.append("\(place): new \(email ?? "-")")
        } else if let account = accounts.randomElement(using: &random) {
          account.setValue(email, forKey: "email")
          log.append("\(place): \(account.objectID.key) gets \(email ?? "-")")
        }
      }
      log.append("\(place): save \(type)")
      do {
        try context.save()
        orders += new
      } catch let error as NSError
        where type == .errorMergePolicyType
        && [NSManagedObjectMergeError, NSManagedObjectConstraintMergeError].contains(error.code)
      {
        if (error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [Any])?.isEmpty ?? true {
          throw Mismatch(description: "no conflict is named")
        }
        context.rollback()
      }
      if context.hasChanges { throw Mismatch(description: "there still are changes") }
    }
    try check()
  }

  private func check() throws {
    let file = try PlainDatabase(try #require(worlds[0].coordinator.persistentStores[0].url))
    let twice = try file.rows(
      "SELECT ZEMAIL FROM ZACCOUNT WHERE ZEMAIL IS NOT NULL GROUP BY ZEMAIL HAVING COUNT(*) > 1 UNION ALL "
        + "SELECT ZFIRST FROM ZACCOUNT WHERE ZFIRST IS NOT NULL AND ZLAST IS NOT NULL GROUP BY ZFIRST, ZLAST "
        + "HAVING COUNT(*) > 1")
    if !twice.isEmpty { throw Mismatch(description: "twice: \(twice)") }
    let count = try file.rows("SELECT COUNT(*) FROM ZORDER WHERE ZACCOUNT IN (SELECT Z_PK FROM ZACCOUNT)")
    if count != [[.integer(Int64(orders))]] { throw Mismatch(description: "\(count) orders of \(orders)") }
  }
}

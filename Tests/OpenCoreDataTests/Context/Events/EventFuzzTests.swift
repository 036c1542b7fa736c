import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// Random edits in events: a mirror that only notifications bring up to date is what the context has after each event, and
/// what a save tells is what SQLite finds changed in the file. The seed is printed.
@Suite struct EventFuzzTests {
  @Test(arguments: 0..<(6 * Soak.factor)) func mirroredEvents(_ run: Int) throws {
    let seed = SeededGenerator.makeSeed(for: "mirrored events")
    do {
      let fuzz = try EventFuzz(seed: seed)
      try fuzz.context.performAndWait { for _ in 0..<60 { try fuzz.event() } }
    } catch {
      Issue.record("SEED=\(seed): \(error)")
    }
  }
}

private final class EventFuzz {
  struct Mismatch: Error, CustomStringConvertible {
    let description: String
  }

  /// What can be seen of an object.
  struct State: Equatable {
    var name: String?
    var age: Int?
    var alias: String?
    var links: [String: Set<ObjectIdentifier>] = [:]

    init(_ object: NSManagedObject) {
      name = object.text("name")
      age = object.number("age")
      if object.entity.name == "Owner" {
        alias = object.text("alias")
        for key in ["pets", "friends", "friendOf"] { links[key] = Set(object.many(key).map { ObjectIdentifier($0) }) }
      } else {
        links["owner"] = Set([object.one("owner")].compactMap { $0 }.map { ObjectIdentifier($0) })
      }
    }
  }

  let url: URL
  let coordinator: NSPersistentStoreCoordinator
  let context: NSManagedObjectContext
  private let recorder: EventRecorder
  private var random: SeededGenerator
  private var known: [NSManagedObject] = []
  private var mirror: [NSManagedObject: State] = [:]
  /// What this event's edits may have changed.
  private var touched: Set<NSManagedObject> = []
  private var rows: [String: [Int64: [String: PlainValue]]] = [:]
  private var problems: [String] = []
  private var log: [String] = []
  private var count = 0

  init(seed: UInt64) throws {
    url = try TestModel.temporaryFile()
    coordinator = try EventWorld.coordinator(url: url)
    context = TestModel.context(coordinator)
    random = SeededGenerator(seed: seed)
    context.propagatesDeletesAtEndOfEvent = Int.random(in: 0..<4, using: &random) != 0
    recorder = EventRecorder(context)
    recorder.react = { [unowned self] in follow($0) }
  }

  func event() throws {
    touched = []
    for _ in 0..<Int.random(in: 0...8, using: &random) { edit() }
    switch Int.random(in: 0..<8, using: &random) {
    case 0...4:
      log.append("processPendingChanges")
      context.processPendingChanges()
    case 5:
      log.append("rollback")
      context.processPendingChanges()
      touched = Set(known)
      context.rollback()
    default: try save()
    }
    try check()
  }

  // MARK: Editing

  private var live: [NSManagedObject] { known.filter { !$0.isDeleted && $0.managedObjectContext != nil } }

  private func one(_ entity: String) -> NSManagedObject? {
    live.filter { $0.entity.name == entity }.randomElement(using: &random)
  }

  private func edit() {
    guard let owner = one("Owner"), let pet = one("Pet") else { return insert() }
    switch Int.random(in: 0..<14, using: &random) {
    case 0, 1: insert()
    case 2, 3:
      let object = Bool.random(using: &random) ? owner : pet
      touch(object)
      object.setValue(Int.random(in: 0..<3, using: &random), forKey: "age")
      log.append("age of \(name(object))")
    case 4:
      touch(owner)
      owner.setValue("alias \(Int.random(in: 0..<9, using: &random))", forKey: "alias")
      log.append("alias of \(name(owner))")
    case 5, 6:
      let other = Int.random(in: 0..<5, using: &random) == 0 ? nil : owner
      for object in [pet, pet.one("owner"), other].compactMap({ $0 }) { touch(object) }
      pet.setValue(other, forKey: "owner")
      log.append("\(name(pet)) belongs to \(other.map(name) ?? "nobody")")
    case 7, 8, 9:
      guard let friend = one("Owner") else { return }
      touch(owner)
      touch(friend)
      let friends = owner.mutableSetValue(forKey: "friends")
      log.append("\(name(owner)) and \(name(friend))")
      if friends.contains(friend) { friends.remove(friend) } else { friends.add(friend) }
    case 10, 11:
      let object = Bool.random(using: &random) ? owner : pet
      touchAround(object)
      log.append("delete \(name(object))")
      context.delete(object)
    case 12: refresh(owner)
    default: elsewhere(pet)
    }
  }

  private func insert() {
    count += 1
    let values = ["name": "\(count)"]
    let object = Bool.random(using: &random) ? context.owner(values) : context.make("Pet", values)
    log.append("insert \(count)")
    known.append(object)
    touch(object)
  }

  private func refresh(_ owner: NSManagedObject) {
    // What one end alone forgets would leave the other one behind.
    log.append("refresh \(name(owner)), \(owner.hasChanges)")
    context.refresh(owner, mergeChanges: owner.hasChanges)
  }

  private func elsewhere(_ pet: NSManagedObject) {
    guard !pet.objectID.isTemporaryID, !pet.isInserted else { return }
    let id = pet.objectID, age = Int.random(in: 10..<13, using: &random)
    log.append("elsewhere \(name(pet)) is \(age)")
    do {
      try coordinator.inContext { other in
        let same = other.object(with: id)
        same.setValue(age, forKey: "age")
        try other.save()
      }
    } catch { problems.append("\(error)") }
    context.refresh(pet, mergeChanges: true)
    rows = (try? contents()) ?? [:]
  }

  private func name(_ object: NSManagedObject) -> String { object.text("name") ?? "nil" }

  private func touch(_ object: NSManagedObject) { touched.insert(object) }

  private func touchAround(_ object: NSManagedObject) {
    touch(object)
    guard object.entity.name == "Owner" else {
      if let owner = object.one("owner") { touch(owner) }
      return
    }
    for key in ["pets", "friends", "friendOf"] { touched.formUnion(object.many(key)) }
  }

  // MARK: Following

  private func follow(_ told: EventRecorder.Told) {
    guard told.name == .NSManagedObjectContextObjectsDidChange else { return }
    let inserted = told.objects(.insertedObjects), updated = told.objects(.updatedObjects)
    let deleted = told.objects(.deletedObjects), refreshed = told.objects(.refreshedObjects)
    let all = [inserted, updated, deleted, refreshed]
    if all.map(\.count).reduce(0, +) != all.reduce(Set(), { $0.union($1) }).count {
      problems.append("an object is in two sets: \(told.text)")
    }
    for object in inserted where mirror[object] != nil { problems.append("\(name(object)) is inserted twice") }
    for object in updated.union(deleted) where mirror[object] == nil { problems.append("\(object) was not there") }
    for object in updated where !touched.contains(object) { problems.append("\(name(object)) did not change") }
    for object in inserted.union(updated).union(refreshed) { mirror[object] = State(object) }
    for object in deleted { mirror[object] = nil }
  }

  private func save() throws {
    log.append("save")
    if !context.propagatesDeletesAtEndOfEvent { touched = Set(known) }
    try context.save()
    let told = recorder.take()
    guard let saved = told.first(where: { $0.name == .NSManagedObjectContextDidSave }),
      let identifiers = told.first(where: { $0.name == .NSManagedObjectContextDidSaveObjectIDs })
    else { throw Mismatch(description: "the save told nothing") }
    for (objects, ids) in [
      (.insertedObjects, .insertedObjectIDs), (.updatedObjects, .updatedObjectIDs),
      (.deletedObjects, .deletedObjectIDs),
    ] as [(NSManagedObjectContext.NotificationKey, NSManagedObjectContext.NotificationKey)]
    where Set(saved.objects(objects).map(\.objectID)) != identifiers.identifiers(ids) {
      problems.append("\(objects) and their IDs differ")
    }
    let after = try contents()
    for entity in ["Owner", "Pet"] {
      let old = rows[entity] ?? [:], new = after[entity] ?? [:]
      func keys(_ key: NSManagedObjectContext.NotificationKey) -> Set<Int64> {
        Set(identifiers.identifiers(key).filter { $0.entity.name == entity }.map(\.key))
      }
      let expected = [
        Set(new.keys).subtracting(old.keys), Set(old.keys).subtracting(new.keys),
        Set(new.keys.filter { old[$0] != nil && old[$0] != new[$0] }),
      ]
      let found = [keys(.insertedObjectIDs), keys(.deletedObjectIDs), keys(.updatedObjectIDs)]
      if found != expected { problems.append("\(entity): told \(found), in the file \(expected)") }
    }
    rows = after
  }

  private func contents() throws -> [String: [Int64: [String: PlainValue]]] {
    let database = try PlainDatabase(url)
    return ["Owner": try database.rowsByKey("ZOWNER"), "Pet": try database.rowsByKey("ZPET")]
  }

  private func check() throws {
    let live = live
    for object in live where mirror[object] != State(object) {
      problems.append("\(name(object)): \(mirror[object].map { "\($0)" } ?? "nil") is told, \(State(object)) is true")
    }
    for object in mirror.keys where !live.contains(object) { problems.append("\(name(object)) should be gone") }
    let flags = [live.filter(\.isInserted), live.filter(\.isUpdated), known.filter(\.isDeleted)].map { Set($0) }
    if [context.insertedObjects, context.updatedObjects, context.deletedObjects] != flags {
      problems.append("the context's sets are not those of its objects")
    }
    if context.hasChanges != flags.contains(where: { !$0.isEmpty }) { problems.append("hasChanges") }
    if !problems.isEmpty {
      throw Mismatch(description: problems.joined(separator: "\n") + "\n" + log.joined(separator: "\n"))
    }
  }
}

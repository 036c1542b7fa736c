import CoreData
import Foundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// Copies of all stores that Apple's framework wrote: objects inserted, updated and deleted, and everything else as it was.
@Suite(.enabled(if: Corpus.isThere, "the corpus of stores is not there"))
struct CorpusWritingTests {
  private struct Plan {
    var updated: [PlainKey: (column: String, attribute: NSAttributeDescription, value: Any)] = [:]
    var inserted: [PlainKey: NSManagedObject] = [:]
  }

  @Test(arguments: CorpusStore.all) func nothingElseChanges(store: CorpusStore) throws {
    CorpusTransformer.register()
    guard let (model, configuration) = try store.model(from: .file) ?? store.model(from: .cache) else {
      #expect(store.reasonWithoutModel(.cache) != nil, "no model")
      return
    }
    let url = try store.copy()
    let entities = (model.entities(forConfigurationName: configuration) ?? []).sorted { $0.name! < $1.name! }
    let before = try { () throws -> (dump: PlainDump, graph: PlainGraph) in
      let database = try PlainDatabase(url)
      try database.rows("CREATE TABLE unknown (a, b)")
      try database.rows("INSERT INTO unknown VALUES (1, 'kept'), (X'00', 2.5)")
      try database.setMetadata { $0["somebody's own key"] = ["a": 1, "b": "kept"] as [String: Any] }
      if let root = entities.first(where: { $0.superentity == nil }) {
        try database.rows("ALTER TABLE \(PlainGraph.table(root)) ADD COLUMN ZUNKNOWN VARCHAR DEFAULT 'kept'")
      }
      return (try PlainDump(database), try PlainGraph(url, entities))
    }()
    // What the applications had done to their stores already.
    let problems = try StoreCheck.errors(url, model: model)
    var deletion = PlainDeletion(before.graph, entities)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let opened = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: configuration, at: url)
    let context = TestModel.context(coordinator)
    let plan: Plan? = try context.performAndWait {
      var plan = Plan()
      var requested = 0
      for entity in entities where !entity.isAbstract {
        try delete(entity, context, before.graph, &deletion)
      }
      for entity in entities where !entity.isAbstract {
        requested += 1
        try update(entity, context, before.graph, deletion, &plan, requested)
      }
      let new = insert(entities, context)
      do { try context.save() } catch { Issue.record("\(store) cannot be saved: \(error)"); return nil }
      #expect(!context.hasChanges)
      for object in new { plan.inserted[key(object)] = object }
      try check(plan, deletion, before, url, entities)
      return plan
    }
    try coordinator.remove(opened)
    #expect(try StoreCheck.errors(url, model: model).subtracting(problems) == [])
    let database = try PlainDatabase(url)
    #expect(try database.integrity() == ["ok"])
    let changes = before.dump.changes(to: try PlainDump(database))
    #expect(plan != nil || (changes.added.isEmpty && changes.removed.isEmpty && changes.changed.isEmpty), "\(changes)")
    print(
      "corpus \(store) written: \(entities.count) entities, \(before.dump.rows.count) rows before, "
        + (plan.map {
          "\($0.inserted.count) inserted, \($0.updated.count) updated, \(deletion.deleted.count) deleted, "
        }
          ?? "refused, ") + "\(changes.changed.count) rows changed")
    try FileManager.default.removeItem(at: url.deletingLastPathComponent())
  }

  private func key(_ object: NSManagedObject) -> PlainKey {
    PlainKey(
      table: PlainGraph.table(object.entity),
      key: Int64(object.objectID.uriRepresentation().lastPathComponent.dropFirst()) ?? 0)
  }

  private func object(_ key: PlainKey, _ entity: NSEntityDescription, _ context: NSManagedObjectContext) throws
    -> NSManagedObject
  {
    let store = try #require(context.persistentStoreCoordinator?.persistentStores.first?.identifier)
    let uri = try #require(URL(string: "x-coredata://\(store)/\(entity.name!)/p\(key.key)"))
    return context.object(
      with: try #require(context.persistentStoreCoordinator?.managedObjectID(forURIRepresentation: uri)))
  }

  // MARK: Changing

  /// Deletes the last object of an entity that its rules let go.
  private func delete(
    _ entity: NSEntityDescription, _ context: NSManagedObjectContext, _ graph: PlainGraph,
    _ deletion: inout PlainDeletion
  ) throws {
    let rows = graph.rows(of: entity)
    guard rows.count > 1 else { return }
    // Those with which little else goes first.
    for (limit, number) in [1, 5, 100].flatMap({ limit in rows.keys.sorted().reversed().prefix(20).map { (limit, $0) } }
    ) {
      let key = PlainKey(table: PlainGraph.table(entity), key: number)
      if deletion.deleted.contains(key) { return }
      if try deletion.delete(key, atMost: limit) { return context.delete(try object(key, entity, context)) }
    }
  }

  /// Changes one attribute of the first object of an entity that is not concerned by a deletion, and is valid.
  private func update(
    _ entity: NSEntityDescription, _ context: NSManagedObjectContext, _ graph: PlainGraph, _ deletion: PlainDeletion,
    _ plan: inout Plan, _ number: Int
  ) throws {
    let constrained = entity.uniquenessConstraints.joined().map { "\($0)" }
    let attributes = entity.attributesByName.values.sorted {
      ($0.attributeType.rawValue, $0.name) > ($1.attributeType.rawValue, $1.name)
    }
    .filter {
      $0.isSettable
        && !constrained.contains($0.name)
    }
    for attribute in attributes {
      guard let value = SampleValues.make(attribute, number) else { continue }
      for row in graph.rows(of: entity).keys.sorted().prefix(50) {
        let key = PlainKey(table: PlainGraph.table(entity), key: row)
        if deletion.deleted.contains(key) || deletion.touched[key] != nil { continue }
        let stored = graph.tables[key.table]?[key.key]?[graph.column(attribute.name, in: entity)]
        if stored?.isStored(value, for: attribute) == true { continue }
        let object = try object(key, entity, context)
        guard (try? object.validateForUpdate()) != nil else { continue }
        object.setValue(value, forKey: attribute.name)
        plan.updated[key] = (graph.column(attribute.name, in: entity), attribute, value)
        return
      }
    }
  }

  /// A new object of each concrete entity, with values for all attributes and members for relationships, and as many more
  /// as mandatory relationships need.
  private func insert(_ entities: [NSEntityDescription], _ context: NSManagedObjectContext) -> [NSManagedObject] {
    var new: [NSManagedObject] = []
    func make(_ entity: NSEntityDescription) -> NSManagedObject {
      let object = NSManagedObject(entity: entity, insertInto: context)
      for attribute in entity.attributesByName.values where attribute.isSettable {
        if let value = SampleValues.make(attribute, new.count) { object.setValue(value, forKey: attribute.name) }
      }
      new.append(object)
      return object
    }
    for entity in entities where !entity.isAbstract { _ = make(entity) }
    var place = 0
    while place < new.count, new.count < 100 {
      let object = new[place]
      place += 1
      for relationship in object.entity.relationshipsByName.values.sorted(by: { $0.name < $1.name }) {
        guard let destination = relationship.destinationEntity, isEmpty(object.value(forKey: relationship.name)) else {
          continue
        }
        let free = new.first { member in
          guard member !== object, member.entity.isKindOf(entity: destination) else { return false }
          guard let inverse = relationship.inverseRelationship, !inverse.isToMany else { return true }
          return member.value(forKey: inverse.name) == nil
        }
        let concrete = entities.first { !$0.isAbstract && $0.isKindOf(entity: destination) }
        guard let member = free ?? (relationship.isOptional ? nil : concrete.map(make)) else { continue }
        if relationship.isToMany {
          object.mutableSetValue(forKey: relationship.name).add(member)
        } else {
          object.setValue(member, forKey: relationship.name)
        }
      }
    }
    return new
  }

  private func isEmpty(_ value: Any?) -> Bool {
    switch value {
    case let set as NSSet: set.count == 0
    case let set as NSOrderedSet: set.count == 0
    default: value == nil
    }
  }

  // MARK: Checking

  /// Every difference between the file before and after is one that was asked for, and the new values are there.
  private func check(
    _ plan: Plan, _ deletion: PlainDeletion, _ before: (dump: PlainDump, graph: PlainGraph), _ url: URL,
    _ entities: [NSEntityDescription]
  ) throws {
    let database = try PlainDatabase(url)
    let after = try PlainDump(database)
    let changes = before.dump.changes(to: after)
    #expect(after.schema == before.dump.schema)
    let entityTables = Set(before.graph.tables.keys)
    func places(_ keys: some Sequence<PlainKey>) -> Set<PlainDump.Place> {
      Set(keys.map { PlainDump.Place(table: $0.table, row: $0.key) })
    }
    #expect(changes.added.filter { entityTables.contains($0.table) } == places(plan.inserted.keys))
    #expect(changes.removed.filter { entityTables.contains($0.table) } == places(deletion.deleted))
    for (place, columns) in changes.changed {
      let key = PlainKey(table: place.table, key: place.row)
      if let update = plan.updated[key] {
        #expect(columns == [update.column, "Z_OPT"], "\(place)")
      } else if let allowed = deletion.touched[key] {
        #expect(columns.isSubset(of: allowed), "\(place)")
      } else {
        #expect(place.table == "Z_PRIMARYKEY" && columns == ["Z_MAX"], "\(place): \(columns)")
      }
    }
    try checkJoins(changes, before.dump, after, plan, deletion, entities, before.graph)
    checkMaxima(before.dump, after, plan)
    try checkCounts(before.graph, PlainGraph(url, entities), entities)
    for (key, update) in plan.updated {
      let row = after.rows[PlainDump.Place(table: key.table, row: key.key)] ?? [:]
      let old = before.dump.rows[PlainDump.Place(table: key.table, row: key.key)]?["Z_OPT"]?.integer ?? 0
      #expect(row["Z_OPT"] == .integer(old + 1), "\(key)")
      #expect(row[update.column]?.isStored(update.value, for: update.attribute) == true, "\(key) \(update.column)")
    }
    for (key, object) in plan.inserted {
      let row = after.rows[PlainDump.Place(table: key.table, row: key.key)] ?? [:]
      #expect(row["Z_ENT"]?.integer == before.graph.numbers[object.entity.name!] && row["Z_OPT"] == .integer(1))
      for attribute in object.entity.attributesByName.values
      where attribute.isSettable {
        let column = before.graph.column(attribute.name, in: object.entity)
        let value = object.value(forKey: attribute.name)
        #expect(row[column]?.isStored(value, for: attribute) == true, "\(key) \(column) \(value ?? "nil")")
      }
      for relationship in object.entity.relationshipsByName.values where !relationship.isToMany {
        let member = (object.value(forKey: relationship.name) as? NSManagedObject).map { self.key($0).key }
        #expect(
          row[before.graph.column(relationship.name, in: object.entity)]?.integer == member,
          "\(key) \(relationship.name)")
      }
    }
  }

  /// Rows of join tables come with new objects and go with deleted ones.
  private func checkJoins(
    _ changes: PlainDump.Changes, _ before: PlainDump, _ after: PlainDump, _ plan: Plan, _ deletion: PlainDeletion,
    _ entities: [NSEntityDescription], _ graph: PlainGraph
  ) throws {
    var joins: [String: [(own: String, table: String)]] = [:]
    for entity in entities {
      for relationship in entity.relationshipsByName.values
      where relationship.isToMany && relationship.inverseRelationship?.isToMany == true {
        let join = try graph.joinTable(relationship, entity)
        joins[join.table, default: []].append((join.own, PlainGraph.table(entity)))
      }
    }
    func keys(_ row: [String: PlainValue]?, _ table: String) -> [PlainKey] {
      (joins[table] ?? []).compactMap { side in row?[side.own]?.integer.map { PlainKey(table: side.table, key: $0) } }
    }
    let tables = Set(graph.tables.keys)
    for place in changes.added where !tables.contains(place.table) {
      #expect(keys(after.rows[place], place.table).contains { plan.inserted[$0] != nil }, "\(place) is new")
    }
    for place in changes.removed where !tables.contains(place.table) {
      #expect(keys(before.rows[place], place.table).contains { deletion.deleted.contains($0) }, "\(place) is gone")
    }
    for place in before.rows.keys where joins[place.table] != nil {
      let isDeleted = keys(before.rows[place], place.table).contains { deletion.deleted.contains($0) }
      #expect(!isDeleted || after.rows[place] == nil, "\(place) leads to a deleted row")
    }
  }

  /// Derived numbers of members that were right are right, and those of new rows are.
  private func checkCounts(_ before: PlainGraph, _ after: PlainGraph, _ entities: [NSEntityDescription]) throws {
    for entity in entities {
      for case let derived as NSDerivedAttributeDescription in entity.attributesByName.values {
        // The only derivations in the corpus are counts.
        let text = "\(derived.derivationExpression.map { "\($0)" } ?? "nil")"
        guard
          let relationship = entity.relationshipsByName.values.first(where: {
            ["\($0.name).@count", "count:(\($0.name))"].contains(text)
          })
        else {
          Issue.record("\(entity.name!).\(derived.name) is not checked: \(text)")
          continue
        }
        let column = after.column(derived.name, in: entity)
        let old = try before.members(relationship, of: entity), new = try after.members(relationship, of: entity)
        for (key, row) in after.rows(of: entity) {
          if let was = before.rows(of: entity)[key]?[column]?.integer, was != old[key]?.count ?? 0 { continue }
          #expect(row[column] == .integer(Int64(new[key]?.count ?? 0)), "\(entity.name!) \(key) \(derived.name)")
        }
      }
    }
  }

  /// Z_MAX counts up by the number of new rows, on the root entity's row.
  private func checkMaxima(_ before: PlainDump, _ after: PlainDump, _ plan: Plan) {
    let counts = Dictionary(grouping: plan.inserted, by: \.key.table).mapValues(\.count)
    for (place, row) in before.rows where place.table == "Z_PRIMARYKEY" {
      guard let old = row["Z_MAX"]?.integer, let super_ = row["Z_SUPER"]?.integer, let name = row["Z_NAME"]?.text else {
        continue
      }
      let new = super_ == 0 ? Int64(counts["Z" + name.uppercased()] ?? 0) : 0
      #expect(after.rows[place]?["Z_MAX"]?.integer == old + new, "\(name)")
    }
  }
}

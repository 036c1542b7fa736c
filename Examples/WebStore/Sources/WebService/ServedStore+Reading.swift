import CoreData
import Foundation
@_spi(Store) import OpenCoreData
import WebProtocol

// Objects as documents. What is asked of one context is run on its queue.
extension ServedStore {
  func objects(_ message: ObjectsMessage) async throws -> ObjectsAnswer {
    try require(message.ids)
    let context = newContext()
    return try await context.perform { [self] in
      let found = try existing(message.ids, in: context)
      return ObjectsAnswer(
        documents: try message.ids.compactMap { id in try found[id].map { try document($0) } },
        gone: message.ids.filter { found[$0] == nil })
    }
  }

  func members(_ id: String, _ relationship: String) async throws -> MembersAnswer {
    let context = newContext()
    return try await context.perform { [self] in
      guard let owner = try existing([id], in: context)[id] else {
        throw ServiceError(404, "There is no object \(id).")
      }
      guard let description = owner.entity.relationshipsByName[relationship], description.isToMany else {
        throw ServiceError(400, "\(owner.entity.name ?? "") has no to-many relationship “\(relationship.prefix(100))”.")
      }
      let members = Self.members(of: owner, description)
      let first = try fetch(members.prefix(limits.pageSize).map(\.objectID), [], in: context)
      return MembersAnswer(
        members: members.map { Self.name($0.objectID) }, documents: try first.map { try document($0) })
    }
  }

  static func members(of owner: NSManagedObject, _ relationship: NSRelationshipDescription) -> [NSManagedObject] {
    let value = owner.value(forKey: relationship.name)
    if let ordered = value as? NSOrderedSet { return ordered.array.compactMap { $0 as? NSManagedObject } }
    let members = ((value as? NSSet)?.allObjects ?? []).compactMap { $0 as? NSManagedObject }
    return members.sorted { $0.objectID.primaryKey < $1.objectID.primaryKey }
  }

  /// The objects of those IDs that there are, by the text of the ID: a statement for each root entity.
  func existing(_ ids: [String], in context: NSManagedObjectContext) throws -> [String: NSManagedObject] {
    let wanted = try ids.map { (id: $0, objectID: try objectID($0)) }
    var found: [NSManagedObjectID: NSManagedObject] = [:]
    for object in try fetch(wanted.map(\.objectID), [], in: context) { found[object.objectID] = object }
    return Dictionary(
      wanted.compactMap { wanted in
        // An object may be named by an entity above its own.
        guard let object = found[wanted.objectID], object.entity.isKindOf(entity: wanted.objectID.entity) else {
          return nil
        }
        return (wanted.id, object)
      }
    ) { first, _ in first }
  }

  /// The objects of IDs, in the order of these; those that are gone are left out.
  func fetch(_ identifiers: [NSManagedObjectID], _ paths: [String], in context: NSManagedObjectContext) throws
    -> [NSManagedObject]
  {
    var objects: [String: [Int64: NSManagedObject]] = [:]
    for (root, group) in Dictionary(grouping: identifiers, by: { Self.root($0.entity) }) {
      let request = NSFetchRequest<NSManagedObject>()
      request.entity = root
      request.predicate = NSPredicate(format: "SELF IN %@", group)
      request.returnsObjectsAsFaults = false
      let found = try context.fetch(request)
      objects[root.name ?? ""] = Dictionary(found.map { ($0.objectID.primaryKey, $0) }) { first, _ in first }
    }
    return identifiers.compactMap { objects[Self.root($0.entity).name ?? ""]?[$0.primaryKey] }
  }

  // MARK: Queries

  func query(_ message: QueryMessage) async throws -> QueryAnswer {
    let context = newContext()
    // All pages show the store as it is now.
    try await context.perform { try context.setQueryGenerationFrom(NSQueryGenerationToken.current) }
    return try await context.perform { [self] in
      let request = try request(message)
      if message.answer == .count {
        var answer = QueryAnswer()
        answer.count = try telling { try context.count(for: request) }
        return answer
      }
      request.resultType = .managedObjectIDResultType
      request.includesPropertyValues = false
      let identifiers = try telling { try context.fetch(request) }.compactMap { $0 as? NSManagedObjectID }
      if message.answer == .ids {
        var answer = QueryAnswer()
        answer.ids = identifiers.map(Self.name)
        return answer
      }
      let result = OpenPages.Result(context: context, identifiers: identifiers, include: message.include ?? [])
      return try page(result)
    }
  }

  /// The page after the one that named it.
  func page(after name: String) async throws -> QueryAnswer {
    guard let result = pages.take(name) else {
      throw ServiceError(410, "There is no page “\(name.prefix(100))” any more: ask again for the first one.")
    }
    return try await result.context.perform { [self] in try page(result) }
  }

  private func page(_ result: OpenPages.Result) throws -> QueryAnswer {
    var result = result
    var answer = QueryAnswer()
    let identifiers = result.identifiers[result.position...].prefix(limits.pageSize)
    let objects = try fetch(Array(identifiers), result.include, in: result.context)
    let along = try Along(objects, result.include, limits.included)
    answer.documents = try objects.map { try document($0, along.lists[$0] ?? []) }
    answer.included = along.objects.isEmpty ? nil : try along.objects.map { try document($0, along.lists[$0] ?? []) }
    result.position += identifiers.count
    if result.position < result.identifiers.count { answer.next = pages.keep(result, limit: limits.openPages) }
    result.context.refreshAllObjects()
    return answer
  }

  private func request(_ message: QueryMessage) throws -> NSFetchRequest<any NSFetchRequestResult> {
    let request = NSFetchRequest<any NSFetchRequestResult>()
    request.entity = try entity(message.entity)
    request.includesSubentities = message.subentities
    do {
      request.predicate = try message.predicate.map { try PredicateCoding.predicate($0, find: objectID) }
      request.sortDescriptors = try message.sort?.map(OrderCoding.descriptor)
    } catch let error as ProtocolError { throw ServiceError(400, error.description) }
    guard (message.limit ?? 0) >= 0, (message.offset ?? 0) >= 0 else {
      throw ServiceError(400, "limit and offset are not below 0.")
    }
    (request.fetchLimit, request.fetchOffset) = (message.limit ?? 0, message.offset ?? 0)
    return request
  }

  /// What the framework refuses of a predicate or an order from outside is the asker's mistake.
  private func telling<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let error as NSError where error.code == NSCoreDataError {
      throw ServiceError(400, error.localizedDescription, code: error.code)
    }
  }

  /// The objects that come along with others, and whose lists of members do.
  private struct Along {
    var objects: [NSManagedObject] = []
    var lists: [NSManagedObject: Set<String>] = [:]
    private var known: Set<NSManagedObject>
    private let limit: Int

    init(_ objects: [NSManagedObject], _ paths: [String], _ limit: Int) throws {
      (known, self.limit) = (Set(objects), limit)
      for path in paths {
        // A path of any length would be followed as deep.
        if path.utf8.count > 1000 || path.split(separator: ".").count > 16 {
          throw ServiceError(400, "include: a path has 16 steps at most.")
        }
        try follow(path.split(separator: ".").map(String.init)[...], objects)
      }
    }

    private mutating func follow(_ steps: ArraySlice<String>, _ owners: [NSManagedObject]) throws {
      guard let step = steps.first else { return }
      var next: [NSManagedObject] = [], seen: Set<NSManagedObject> = []
      for owner in owners {
        guard let relationship = owner.entity.relationshipsByName[step] else {
          throw ServiceError(400, "include: \(owner.entity.name ?? "") has no relationship “\(step.prefix(100))”.")
        }
        let members =
          relationship.isToMany
          ? ServedStore.members(of: owner, relationship)
          : [owner.value(forKey: step) as? NSManagedObject].compactMap { $0 }
        if relationship.isToMany { lists[owner, default: []].insert(step) }
        for member in members where seen.insert(member).inserted { next.append(member) }
      }
      for object in next where objects.count < limit && known.insert(object).inserted { objects.append(object) }
      try follow(steps.dropFirst(), next)
    }
  }

  // MARK: Documents

  /// - Parameter lists: the to-many relationships whose members are listed.
  func document(_ object: NSManagedObject, _ lists: Set<String> = []) throws -> Document {
    // A fault has no version yet.
    object.willAccessValue(forKey: nil)
    var document = Document(id: Self.name(object.objectID), version: object.rowVersion)
    for (name, attribute) in object.entity.attributesByName where !attribute.isTransient {
      let value = object.value(forKey: name)
      if value != nil { document.values[name] = try AttributeCoding.json(value, of: attribute) }
    }
    for (name, relationship) in object.entity.relationshipsByName where !relationship.isTransient {
      if relationship.isToMany {
        guard lists.contains(name) else { continue }
        document.many = (document.many ?? [:]).merging(
          [name: Self.members(of: object, relationship).map { Self.name($0.objectID) }]
        ) { $1 }
      } else if let member = object.value(forKey: name) as? NSManagedObject {
        document.one[name] = Self.name(member.objectID)
      }
    }
    return document
  }
}

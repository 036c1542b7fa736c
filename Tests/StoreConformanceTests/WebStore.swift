import CoreData
import Foundation
import Synchronization

/// A store whose objects are documents of a web service: what a user of the framework would write, with its public names.
///
/// The service has no queries, so predicates are evaluated here, on objects of a context that nobody changes.
// Sendable: the locks keep what changes.
final class WebStore: NSIncrementalStore, @unchecked Sendable {
  static let type = "WebStore"

  /// The services by the hosts of their URLs.
  static let services = Mutex<[String: WebService]>([:])

  /// The IDs that values and relationships were asked for by.
  let askedFor = Mutex<[NSManagedObjectID]>([])
  private let counts = Mutex<[NSManagedObjectID: Int]>([:])

  /// How many contexts have each object.
  var registrations: [NSManagedObjectID: Int] { counts.withLock { $0.filter { $0.value != 0 } } }

  private var service: WebService {
    get throws {
      if let service = Self.services.withLock({ $0[url?.host ?? ""] }) { return service }
      throw URLError(.cannotFindHost)
    }
  }

  override var type: String { Self.type }

  override func loadMetadata() throws {
    metadata = [NSStoreUUIDKey: try service.identifier, NSStoreTypeKey: Self.type]
  }

  // MARK: Reading

  override func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?) throws -> Any {
    switch request {
    case let fetch as NSFetchRequest<any NSFetchRequestResult>: return try answer(fetch, context)
    case let save as NSSaveChangesRequest: return try write(save)
    default: throw CocoaError(CocoaError.Code(rawValue: NSPersistentStoreUnsupportedRequestTypeError))
    }
  }

  private func answer(_ request: NSFetchRequest<any NSFetchRequestResult>, _ context: NSManagedObjectContext?) throws
    -> Any
  {
    guard let entity = request.entity else { return [NSManagedObject]() }
    let documents = try documents(of: entity, withSubentities: request.includesSubentities)
    let reader = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    reader.persistentStoreCoordinator = persistentStoreCoordinator
    let found = reader.performAndWait {
      let candidates = documents.map { reader.object(with: identifier($0)) }
      var found = candidates.filter { request.predicate?.evaluate(with: $0) ?? true } as NSArray
      if let order = request.sortDescriptors { found = found.sortedArray(using: order) as NSArray }
      return found.compactMap { ($0 as? NSManagedObject)?.objectID }
    }
    let page = found.dropFirst(request.fetchOffset).prefix(request.fetchLimit > 0 ? request.fetchLimit : .max)
    switch request.resultType {
    case .countResultType: return [NSNumber(value: page.count)]
    case .managedObjectIDResultType: return Array(page)
    default: return page.compactMap { context?.object(with: $0) }
    }
  }

  override func newValuesForObject(
    with objectID: NSManagedObjectID, with context: NSManagedObjectContext
  ) throws -> NSIncrementalStoreNode {
    let document = try document(of: objectID)
    let identifier = identifier(document)
    var values: [String: Any] = [:]
    for (name, value) in document.values {
      if identifier.entity.relationshipsByName[name] != nil {
        if let identifier = reference(value, in: identifier.entity, name) { values[name] = identifier }
      } else if let attribute = identifier.entity.attributesByName[name] {
        values[name] = WebValue.decode(value, attribute.attributeType)
      }
    }
    return NSIncrementalStoreNode(objectID: identifier, withValues: values, version: UInt64(document.tag))
  }

  override func newValue(
    forRelationship relationship: NSRelationshipDescription, forObjectWith objectID: NSManagedObjectID,
    with context: NSManagedObjectContext?
  ) throws -> Any {
    let value = try document(of: objectID).values[relationship.name]
    if relationship.isToMany {
      return (value as? [Any] ?? []).compactMap { reference($0, in: objectID.entity, relationship.name) }
    }
    return value.flatMap { reference($0, in: objectID.entity, relationship.name) } ?? NSNull()
  }

  // MARK: Writing

  override func obtainPermanentIDs(for array: [NSManagedObject]) throws -> [NSManagedObjectID] {
    try array.map { object in
      let answer = try ask("POST", "/\(root(object.entity).name ?? "")") as? [String: Any]
      guard let number = answer?["number"] as? Int else { throw URLError(.cannotParseResponse) }
      return newObjectID(for: object.entity, referenceObject: number)
    }
  }

  private func write(_ request: NSSaveChangesRequest) throws -> [Any] {
    var changes: [[String: Any]] = []
    for object in request.insertedObjects ?? [] { changes.append(change(object, tag: nil)) }
    for object in request.updatedObjects ?? [] { changes.append(change(object, tag: nil)) }
    for object in request.deletedObjects ?? [] {
      changes.append(["root": root(object.entity).name ?? "", "number": number(object.objectID)])
    }
    _ = try ask("PATCH", "/", JSONSerialization.data(withJSONObject: changes))
    return []
  }

  private func change(_ object: NSManagedObject, tag: Int?) -> [String: Any] {
    var values: [String: Any] = [:]
    for (name, attribute) in object.entity.attributesByName {
      if let value = object.value(forKey: name) { values[name] = WebValue.encode(value, attribute.attributeType) }
    }
    for (name, relationship) in object.entity.relationshipsByName {
      if relationship.isToMany {
        let members = (object.value(forKey: name) as? NSSet)?.allObjects ?? []
        values[name] = members.compactMap { ($0 as? NSManagedObject).map(document(for:)) }
      } else if let member = object.value(forKey: name) as? NSManagedObject {
        values[name] = document(for: member)
      }
    }
    return [
      "root": root(object.entity).name ?? "", "number": number(object.objectID), "entity": object.entity.name ?? "",
      "values": values,
    ]
  }

  private func document(for object: NSManagedObject) -> [String: Any] {
    precondition(!object.objectID.isTemporaryID, "A temporary ID reached the store.")
    return ["entity": object.entity.name ?? "", "number": number(object.objectID)]
  }

  // MARK: The service

  private struct Document {
    var entity: String
    var number: Int
    var values: [String: Any]
    var tag: Int

    init?(_ json: Any) {
      guard let json = json as? [String: Any], let entity = json["entity"] as? String,
        let number = json["number"] as? Int, let values = json["values"] as? [String: Any],
        let tag = json["tag"] as? Int
      else { return nil }
      (self.entity, self.number, self.values, self.tag) = (entity, number, values, tag)
    }
  }

  private func ask(_ method: String, _ path: String, _ body: Data = Data()) throws -> Any? {
    let answer = try service.answer(WebService.Request(method: method, path: path, body: body))
    switch answer.status {
    case 200: return try JSONSerialization.jsonObject(with: answer.body)
    case 204: return nil
    case 404: throw CocoaError(CocoaError.Code(rawValue: NSManagedObjectReferentialIntegrityError))
    default: throw URLError(.badServerResponse)
    }
  }

  private func document(of objectID: NSManagedObjectID) throws -> Document {
    askedFor.withLock { $0.append(objectID) }
    guard let answer = try ask("GET", "/\(root(objectID.entity).name ?? "")/\(number(objectID))"),
      let document = Document(answer)
    else { throw URLError(.cannotParseResponse) }
    return document
  }

  private func documents(of entity: NSEntityDescription, withSubentities: Bool) throws -> [Document] {
    let all = (try ask("GET", "/\(root(entity).name ?? "")") as? [Any] ?? []).compactMap { Document($0) }
    return all.filter { document in
      guard let own = entity.managedObjectModel.entitiesByName[document.entity] else { return false }
      return withSubentities ? own.isKindOf(entity: entity) : own === entity
    }
  }

  private func identifier(_ document: Document) -> NSManagedObjectID {
    let entities = persistentStoreCoordinator?.managedObjectModel.entitiesByName ?? [:]
    return newObjectID(for: entities[document.entity] ?? NSEntityDescription(), referenceObject: document.number)
  }

  private func reference(_ json: Any, in entity: NSEntityDescription, _ name: String) -> NSManagedObjectID? {
    guard let json = json as? [String: Any], let number = json["number"] as? Int, let own = json["entity"] as? String,
      let entity = entity.managedObjectModel.entitiesByName[own]
    else { return nil }
    return newObjectID(for: entity, referenceObject: number)
  }

  private func number(_ objectID: NSManagedObjectID) -> Int { referenceObject(for: objectID) as? Int ?? 0 }

  private func root(_ entity: NSEntityDescription) -> NSEntityDescription {
    var root = entity
    while let parent = root.superentity { root = parent }
    return root
  }

  // MARK: Registrations

  override func managedObjectContextDidRegisterObjects(with objectIDs: [NSManagedObjectID]) {
    counts.withLock { counts in for identifier in objectIDs { counts[identifier, default: 0] += 1 } }
  }

  override func managedObjectContextDidUnregisterObjects(with objectIDs: [NSManagedObjectID]) {
    counts.withLock { counts in for identifier in objectIDs { counts[identifier, default: 0] -= 1 } }
  }
}

/// Values as JSON has them: what JSON would not keep exactly is text.
enum WebValue {
  static func encode(_ value: Any, _ type: NSAttributeType) -> Any {
    switch value {
    case let value as Date: value.timeIntervalSinceReferenceDate.description
    case let value as Data: value.base64EncodedString()
    case let value as UUID: value.uuidString
    case let value as URL: value.absoluteString
    case let value as NSDecimalNumber: value.decimalValue.description
    case let value as NSNumber where type == .doubleAttributeType: value.doubleValue.description
    case let value as NSNumber where type == .floatAttributeType: value.floatValue.description
    case let value as NSNumber: value.int64Value.description
    default: value
    }
  }

  static func decode(_ value: Any, _ type: NSAttributeType) -> Any? {
    guard let text = value as? String else { return nil }
    switch type {
    case .stringAttributeType: return text
    case .dateAttributeType: return Double(text).map { Date(timeIntervalSinceReferenceDate: $0) }
    case .binaryDataAttributeType: return Data(base64Encoded: text)
    case .UUIDAttributeType: return UUID(uuidString: text)
    case .URIAttributeType: return URL(string: text)
    case .decimalAttributeType: return NSDecimalNumber(string: text)
    case .doubleAttributeType: return Double(text)
    case .floatAttributeType: return Float(text)
    default: return Int64(text)
    }
  }
}

import CoreData
import Foundation

/// An incremental store over dictionaries that notes every call.
final class RecordingStore: NSIncrementalStore, @unchecked Sendable {  // `state` belongs to `lock`
  static let type = "RecordingStore"

  struct State {
    var log: [String] = []
    /// By reference object: attributes and to-one relationships, as nodes have them.
    var nodes: [Int: [String: Any]] = [:]
    var versions: [Int: UInt64] = [:]
    var members: [Int: [NSManagedObjectID]] = [:]
    var lastNumber = 0
    var counts: [NSManagedObjectID: Int] = [:]
    var savedMetadata: [[String: Any]] = []
    var failure: NSError?
    var lastFetch: NSFetchRequest<any NSFetchRequestResult>?
    /// Asked at every save.
    var refuse: ((NSSaveChangesRequest) -> NSError?)?
  }

  private let lock = NSLock()
  private var state = State()

  func withState<Value>(_ body: (inout State) throws -> Value) rethrows -> Value {
    lock.lock()
    defer { lock.unlock() }
    return try body(&state)
  }

  /// What was called since the last time this was asked.
  func calls() -> [String] {
    withState { state in
      defer { state.log = [] }
      return state.log
    }
  }

  /// How many contexts have each object that some context has.
  var registered: [Int: Int] {
    withState { $0.counts.filter { $0.value != 0 } }.reduce(into: [:]) { $0[number($1.key)] = $1.value }
  }

  func number(_ objectID: NSManagedObjectID) -> Int { referenceObject(for: objectID) as? Int ?? -1 }

  private func note(_ call: String) { withState { $0.log.append(call) } }

  override var type: String { Self.type }

  override func loadMetadata() throws { metadata = [NSStoreUUIDKey: "recording", NSStoreTypeKey: Self.type] }

  override func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?) throws -> Any {
    if let error = withState({ $0.failure }) { throw error }
    if let save = request as? NSSaveChangesRequest { return try write(save) }
    guard let fetch = request as? NSFetchRequest<any NSFetchRequestResult>, let entity = fetch.entity else {
      throw CocoaError(CocoaError.Code(rawValue: NSPersistentStoreUnsupportedRequestTypeError))
    }
    note("fetch \(fetch.entityName ?? "")")
    withState { $0.lastFetch = fetch }
    let numbers = withState { state in
      state.nodes.filter { $0.value["entity"] as? String == entity.name }.keys.sorted()
    }
    if fetch.resultType == .countResultType { return [NSNumber(value: numbers.count)] }
    let identifiers = numbers.map { newObjectID(for: entity, referenceObject: $0) }
    if fetch.resultType == .managedObjectIDResultType { return identifiers }
    return identifiers.compactMap { context?.object(with: $0) }
  }

  private func write(_ request: NSSaveChangesRequest) throws -> [Any] {
    let sets = [request.insertedObjects, request.updatedObjects, request.deletedObjects]
    let count = sets.map { $0.map { String($0.count) } ?? "nil" }.joined(separator: " ")
    note("save \(count)")
    if let error = withState({ $0.refuse })?(request) { throw error }
    if request.insertedObjects == nil { withState { $0.savedMetadata.append(metadata) } }
    for object in [request.insertedObjects ?? [], request.updatedObjects ?? []].joined() {
      if object.objectID.isTemporaryID { note("temporary") }
      var values: [String: Any] = ["entity": object.entity.name ?? ""]
      for name in object.entity.attributesByName.keys { values[name] = object.value(forKey: name) }
      var members: [NSManagedObjectID]?
      for (name, relationship) in object.entity.relationshipsByName {
        if relationship.isToMany {
          members = (object.value(forKey: name) as? NSSet)?.allObjects.compactMap { ($0 as? NSManagedObject)?.objectID }
          if members?.contains(where: \.isTemporaryID) == true { note("temporary") }
        } else {
          values[name] = (object.value(forKey: name) as? NSManagedObject)?.objectID ?? NSNull()
        }
      }
      let number = number(object.objectID)
      withState { state in
        state.nodes[number] = values
        state.versions[number, default: 0] += 1
        state.members[number] = members
      }
    }
    for object in request.deletedObjects ?? [] {
      let number = number(object.objectID)
      withState { $0.nodes[number] = nil }
    }
    return []
  }

  override func newValuesForObject(
    with objectID: NSManagedObjectID, with context: NSManagedObjectContext
  ) throws -> NSIncrementalStoreNode {
    let number = number(objectID)
    note("values \(number)")
    let found = withState { state in state.nodes[number].map { ($0, state.versions[number] ?? 1) } }
    guard let (stored, version) = found else {
      throw CocoaError(CocoaError.Code(rawValue: NSManagedObjectReferentialIntegrityError))
    }
    var values = stored
    values["entity"] = nil
    return NSIncrementalStoreNode(objectID: objectID, withValues: values, version: version)
  }

  override func newValue(
    forRelationship relationship: NSRelationshipDescription, forObjectWith objectID: NSManagedObjectID,
    with context: NSManagedObjectContext?
  ) throws -> Any {
    let number = number(objectID)
    note("\(relationship.name) \(number)")
    return relationship.isToMany ? withState { $0.members[number] } ?? [] : NSNull()
  }

  override func obtainPermanentIDs(for array: [NSManagedObject]) throws -> [NSManagedObjectID] {
    note("obtain \(array.count)")
    return array.map { object in
      let number = withState { state in
        state.lastNumber += 1
        return state.lastNumber
      }
      return newObjectID(for: object.entity, referenceObject: number)
    }
  }

  override func managedObjectContextDidRegisterObjects(with objectIDs: [NSManagedObjectID]) {
    if objectIDs.contains(where: \.isTemporaryID) { note("temporary") }
    withState { state in for identifier in objectIDs { state.counts[identifier, default: 0] += 1 } }
  }

  override func managedObjectContextDidUnregisterObjects(with objectIDs: [NSManagedObjectID]) {
    if objectIDs.contains(where: \.isTemporaryID) { note("temporary") }
    withState { state in for identifier in objectIDs { state.counts[identifier, default: 0] -= 1 } }
  }
}

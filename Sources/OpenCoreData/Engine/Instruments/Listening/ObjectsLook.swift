import Foundation

/// The registered objects of a context.
struct LookedObjects: Encodable, Sendable {
  struct Object: Encodable, Sendable {
    let object: String
    let isFault: Bool
    /// What is pending for the object.
    let change: LookedChange.Kind?
  }
  struct Entity: Encodable, Sendable {
    let name: String
    var objects = 0
    var faults = 0
  }

  var busy: String?
  /// The number of objects of each entity among those that were looked at.
  var entities: [Entity] = []
  var objects: [Object] = []
  /// The number of objects that were looked at.
  var looked = 0
  /// The number of all registered objects.
  var count = 0
}

/// Looks at the registered objects of a context on its queue.
enum ObjectsLook {
  /// At so many objects one question looks at most: the context's queue waits meanwhile.
  static let limit = 20_000

  static func objects(_ context: NSManagedObjectContext, limit: Int) -> LookedObjects {
    var result = LookedObjects()
    var entities: [String: LookedObjects.Entity] = [:]
    for map in context.identityMaps.all {
      result.count += map.objectCount
      for object in map.some(Self.limit - result.looked) {
        result.looked += 1
        let name = object.layout.name
        entities[name, default: .init(name: name)].objects += 1
        if object.isUnread { entities[name, default: .init(name: name)].faults += 1 }
        if result.objects.count < limit {
          result.objects.append(
            .init(
              object: LookedValue.name(of: object), isFault: object.isUnread, change: PendingLook.kind(of: object)))
        }
      }
    }
    result.entities = entities.values.sorted { $0.name < $1.name }
    return result
  }
}

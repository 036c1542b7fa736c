import Foundation
import OpenCocoaFoundation

// Archives with the keys of Apple's framework. If only the name of the entity is known, the name is archived.
extension NSFetchRequest {
  final func encodeFields(with coder: NSCoder) {
    coder.encode(entity, forKey: "NSEntity")
    if entity == nil { coder.encode(entityName.map { $0 as NSString }, forKey: "NSEntityName") }
    coder.encode(predicate, forKey: "NSPredicate")
    coder.encode(sortDescriptors.map { NSArray(array: $0) }, forKey: "NSSortDescriptors")
    coder.encode(havingPredicate, forKey: "NSHavingPredicate")
    coder.encode(relationshipKeyPathsForPrefetching.map(Self.array), forKey: "NSRelationshipKeyPathsForPrefetching")
    coder.encode(propertiesToFetch.map(Self.array), forKey: "NSValuesToFetch")
    coder.encode(propertiesToGroupBy.map(Self.array), forKey: "NSValuesToGroupBy")
    coder.encode(fetchLimit, forKey: "NSFetchLimit")
    coder.encode(fetchOffset, forKey: "NSFetchOffset")
    coder.encode(fetchBatchSize, forKey: "NSBatchSize")
    coder.encode(Int(resultType.rawValue), forKey: "NSResultType")
    coder.encode(true, forKey: "NSHasFetchRequestFlags")
    coder.encode(Int(FetchRequestFlags(self).rawValue), forKey: "NSFetchRequestFlags")
  }

  /// - Returns: false for an archive that is damaged; the coder then has an error.
  final func decodeFields(from coder: NSCoder) -> Bool {
    let names = [NSArray.self, NSString.self, NSPropertyDescription.self]
    if let entity = coder.decodeObject(of: NSEntityDescription.self, forKey: "NSEntity") {
      self.entity = entity
    } else {
      storedEntityName = coder.decodeObject(of: NSString.self, forKey: "NSEntityName").map { String(describing: $0) }
    }
    predicate = coder.decodeObject(of: NSPredicate.self, forKey: "NSPredicate")
    havingPredicate = coder.decodeObject(of: NSPredicate.self, forKey: "NSHavingPredicate")
    sortDescriptors =
      coder.decodeObject(of: [NSArray.self, NSSortDescriptor.self], forKey: "NSSortDescriptors") as? [NSSortDescriptor]
    relationshipKeyPathsForPrefetching =
      coder.decodeObject(of: names, forKey: "NSRelationshipKeyPathsForPrefetching") as? [String]
    propertiesToFetch = Self.properties(coder.decodeObject(of: names, forKey: "NSValuesToFetch"))
    propertiesToGroupBy = Self.properties(coder.decodeObject(of: names, forKey: "NSValuesToGroupBy"))
    fetchLimit = max(0, coder.decodeInteger(forKey: "NSFetchLimit"))
    fetchOffset = max(0, coder.decodeInteger(forKey: "NSFetchOffset"))
    fetchBatchSize = max(0, coder.decodeInteger(forKey: "NSBatchSize"))
    resultType = NSFetchRequestResultType(rawValue: UInt(max(0, coder.decodeInteger(forKey: "NSResultType"))))
    if coder.decodeBool(forKey: "NSHasFetchRequestFlags") {
      FetchRequestFlags(rawValue: Int64(coder.decodeInteger(forKey: "NSFetchRequestFlags"))).apply(to: self)
    }
    return coder.error == nil
  }

  private static func array(_ values: [Any]) -> NSArray {
    NSArray(array: values.map { ($0 as? String).map { $0 as NSString } ?? $0 })
  }

  private static func properties(_ value: Any?) -> [Any]? {
    (value as? [Any])?.map { ($0 as? NSString).map { String(describing: $0) } ?? $0 }
  }
}

/// The Boolean settings of a request in an archive.
struct FetchRequestFlags: OptionSet {
  let rawValue: Int64

  static let distinctResults = FetchRequestFlags(rawValue: 1)
  static let subentities = FetchRequestFlags(rawValue: 2)
  static let propertyValues = FetchRequestFlags(rawValue: 4)
  static let objectsAsFaults = FetchRequestFlags(rawValue: 8)
  static let pendingChanges = FetchRequestFlags(rawValue: 16)
  /// Apple's archives do not have this flag, as far as is known.
  static let refreshes = FetchRequestFlags(rawValue: 1 << 20)

  init(rawValue: Int64) { self.rawValue = rawValue }

  init(_ request: some AnyFetchRequest) {
    var flags: FetchRequestFlags = []
    if request.returnsDistinctResults { flags.insert(.distinctResults) }
    if request.includesSubentities { flags.insert(.subentities) }
    if request.includesPropertyValues { flags.insert(.propertyValues) }
    if request.returnsObjectsAsFaults { flags.insert(.objectsAsFaults) }
    if request.includesPendingChanges { flags.insert(.pendingChanges) }
    if request.shouldRefreshRefetchedObjects { flags.insert(.refreshes) }
    self = flags
  }

  func apply<Result>(to request: NSFetchRequest<Result>) {
    request.returnsDistinctResults = contains(.distinctResults)
    request.includesSubentities = contains(.subentities)
    request.includesPropertyValues = contains(.propertyValues)
    request.returnsObjectsAsFaults = contains(.objectsAsFaults)
    request.includesPendingChanges = contains(.pendingChanges)
    request.shouldRefreshRefetchedObjects = contains(.refreshes)
  }
}

/// Stands for the class if no class of Apple's name can be made.
final class FetchRequestSubstitute: NSObject {}

/// Fetch requests in keyed archives: on Linux a generic class has no name that an archive could give it.
enum FetchRequestArchive {
  /// The class whose name is written into archives.
  static var namedClass: AnyClass { ArchivedClasses.named("NSFetchRequest") ?? FetchRequestSubstitute.self }

  /// Tells unarchivers, once, which class to decode for both names; requests and models ask for this. The class of
  /// Apple's name is made when the first request is archived, since making it takes longer than the rest of a program's
  /// start.
  static let registered: Void = {
    let reader = NSFetchRequest<any NSFetchRequestResult>.self
    for name in ["NSFetchRequest", "OpenCoreData.FetchRequestSubstitute"] {
      NSKeyedUnarchiver.setClass(reader, forClassName: name)
    }
  }()
}

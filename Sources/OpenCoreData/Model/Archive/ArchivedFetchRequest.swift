import Foundation
import OpenCocoaFoundation

/// A fetch request of a model (a template, or that of a fetched property) in its archived form.
enum ArchivedFetchRequest {
  /// The bits of NSFetchRequestFlags.
  private enum Flag {
    static let distinctResults: Int64 = 1
    static let subentities: Int64 = 2
    static let propertyValues: Int64 = 4
    static let objectsAsFaults: Int64 = 8
    static let pendingChanges: Int64 = 16
  }

  /// The request of an archived object.
  /// - Throws: `ArchiveProblem` for a damaged predicate or sort descriptor.
  static func template(
    _ object: ArchivedObject, entityName: String?, _ embedded: EmbeddedArchives
  ) throws -> FetchRequestTemplate {
    var template = FetchRequestTemplate(entityName: entityName ?? object.object("NSEntity")?.string("NSEntityName"))
    template.predicate = try embedded.object(object.fields["NSPredicate"], of: NSPredicate.self)
    if object.object("NSSortDescriptors") != nil {
      template.sortDescriptors = try object.elements("NSSortDescriptors").map {
        guard let descriptor = try embedded.object($0, of: NSSortDescriptor.self) else {
          throw ArchiveProblem("A fetch request has a sort descriptor that is none.")
        }
        return descriptor
      }
    }
    template.fetchLimit = max(0, object.integer("NSFetchLimit"))
    template.fetchOffset = max(0, object.integer("NSFetchOffset"))
    template.fetchBatchSize = max(0, object.integer("NSBatchSize"))
    template.resultType = NSFetchRequestResultType(rawValue: UInt(max(0, object.integer("NSResultType"))))
    if object.bool("NSHasFetchRequestFlags") {
      let flags = Int64(object.integer("NSFetchRequestFlags"))
      template.returnsDistinctResults = flags & Flag.distinctResults != 0
      template.includesSubentities = flags & Flag.subentities != 0
      template.includesPropertyValues = flags & Flag.propertyValues != 0
      template.returnsObjectsAsFaults = flags & Flag.objectsAsFaults != 0
      template.includesPendingChanges = flags & Flag.pendingChanges != 0
    }
    if object.object("NSRelationshipKeyPathsForPrefetching") != nil {
      let paths = object.elements("NSRelationshipKeyPathsForPrefetching")
      template.relationshipKeyPathsForPrefetching = paths.compactMap(object.archive.string)
    }
    return template
  }

  /// Archives a request. Nil for one that cannot be archived, where such are left out.
  static func add(_ template: FetchRequestTemplate, to encoder: inout ModelEncoder) throws -> PropertyListValue? {
    let null = KeyedArchiveWriter.null
    var fields = [
      "NSAllocationType": .integer(0), "NSHavingPredicate": null, "NSPredicate": null, "NSSortDescriptors": null,
      "NSRelationshipKeyPathsForPrefetching": null, "NSValuesToFetch": null, "NSValuesToGroupBy": null,
      "NSEntity": encoder.reference(named: encoder.entityName(of: template)),
      "NSFetchLimit": .integer(Int64(template.fetchLimit)), "NSFetchOffset": .integer(Int64(template.fetchOffset)),
      "NSBatchSize": .integer(Int64(template.fetchBatchSize)),
      "NSResultType": .integer(Int64(template.resultType.rawValue)),
      "NSHasFetchRequestFlags": .bool(true), "NSFetchRequestFlags": .integer(flags(of: template)),
    ]
    if let predicate = template.predicate {
      guard let encoded = try encoder.archive(predicate) else { return nil }
      fields["NSPredicate"] = encoded
    }
    if let descriptors = template.sortDescriptors {
      var encoded: [PropertyListValue] = []
      for descriptor in descriptors {
        guard let one = try encoder.archive(descriptor) else { return nil }
        encoded.append(one)
      }
      fields["NSSortDescriptors"] = encoder.writer.add(array: encoded)
    }
    if let paths = template.relationshipKeyPathsForPrefetching {
      fields["NSRelationshipKeyPathsForPrefetching"] = encoder.writer.add(
        array: paths.map { encoder.writer.add(text: $0) })
    }
    return encoder.writer.add(["NSFetchRequest", "NSPersistentStoreRequest", "NSObject"], fields)
  }

  private static func flags(of template: FetchRequestTemplate) -> Int64 {
    var flags: Int64 = 0
    if template.returnsDistinctResults { flags |= Flag.distinctResults }
    if template.includesSubentities { flags |= Flag.subentities }
    if template.includesPropertyValues { flags |= Flag.propertyValues }
    if template.returnsObjectsAsFaults { flags |= Flag.objectsAsFaults }
    if template.includesPendingChanges { flags |= Flag.pendingChanges }
    return flags
  }
}

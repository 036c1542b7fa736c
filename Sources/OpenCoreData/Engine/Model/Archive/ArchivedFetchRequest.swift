import Foundation
import OpenCocoaFoundation

/// The archived form of a fetch request of a model: of a template, or of the request of a fetched property.
enum ArchivedFetchRequest {
  /// Returns the request that an archived object holds.
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
      template.flags = FetchRequestFlags(rawValue: Int64(object.integer("NSFetchRequestFlags")))
    }
    if object.object("NSRelationshipKeyPathsForPrefetching") != nil {
      let paths = object.elements("NSRelationshipKeyPathsForPrefetching")
      template.relationshipKeyPathsForPrefetching = paths.compactMap(object.archive.string)
    }
    template.propertiesToFetch = try properties(object, "NSValuesToFetch", embedded)
    template.propertiesToGroupBy = try properties(object, "NSValuesToGroupBy", embedded)
    template.havingPredicate = try embedded.object(object.fields["NSHavingPredicate"], of: NSPredicate.self)
    return template
  }

  /// Reads the properties to fetch or to group by: names, key paths, expression descriptions, and properties of the
  /// entity as their names.
  private static func properties(
    _ object: ArchivedObject, _ field: String, _ embedded: EmbeddedArchives
  ) throws -> [Any]? {
    guard object.object(field) != nil else { return nil }
    return try object.elements(field).compactMap { value -> Any? in
      if let name = object.archive.string(value) { return name }
      guard let property = object.archive.object(value.uidValue), let name = property.string("NSPropertyName") else {
        return nil
      }
      guard property.isKind(of: "NSExpressionDescription") else { return name }
      return try ArchivedProperty.property(property, name: name, entity: "", allowsParts: true, embedded)
    }
  }

  /// Archives the properties that a request fetches or groups by, in the form that `properties` reads.
  private static func add(_ properties: [Any], to encoder: inout ModelEncoder) throws -> PropertyListValue {
    var values: [PropertyListValue] = []
    for property in properties {
      switch property {
      case let computed as NSExpressionDescription: values.append(try encoder.encode(computed, in: nil, as: nil))
      case let property as NSPropertyDescription: values.append(encoder.writer.add(text: property.name))
      case let name as String: values.append(encoder.writer.add(text: name))
      default: break
      }
    }
    return encoder.writer.add(array: values)
  }

  /// Archives a request. Returns nil in a cache if a predicate or sort descriptor of the request cannot be archived.
  static func add(_ template: FetchRequestTemplate, to encoder: inout ModelEncoder) throws -> PropertyListValue? {
    let null = KeyedArchiveWriter.null
    var fields = [
      "NSAllocationType": .integer(0), "NSHavingPredicate": null, "NSPredicate": null, "NSSortDescriptors": null,
      "NSRelationshipKeyPathsForPrefetching": null, "NSValuesToFetch": null, "NSValuesToGroupBy": null,
      "NSEntity": encoder.reference(named: encoder.entityName(of: template)),
      "NSFetchLimit": .integer(Int64(template.fetchLimit)), "NSFetchOffset": .integer(Int64(template.fetchOffset)),
      "NSBatchSize": .integer(Int64(template.fetchBatchSize)),
      "NSResultType": .integer(Int64(template.resultType.rawValue)),
      "NSHasFetchRequestFlags": .bool(true), "NSFetchRequestFlags": .integer(template.flags.rawValue),
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
    if let properties = template.propertiesToFetch {
      fields["NSValuesToFetch"] = try add(properties, to: &encoder)
    }
    if let properties = template.propertiesToGroupBy {
      fields["NSValuesToGroupBy"] = try add(properties, to: &encoder)
    }
    if let having = template.havingPredicate {
      guard let encoded = try encoder.archive(having) else { return nil }
      fields["NSHavingPredicate"] = encoded
    }
    return encoder.writer.add(["NSFetchRequest", "NSPersistentStoreRequest", "NSObject"], fields)
  }
}

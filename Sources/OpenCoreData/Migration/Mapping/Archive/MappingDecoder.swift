import Foundation
import OpenCocoaFoundation

import class OpenCocoaFoundation.NSExpression

/// Reads the mappings of a compiled mapping model (`.cdm`), which is a keyed archive.
struct MappingDecoder {
  private let embedded: EmbeddedArchives

  /// The entity mappings of an archive, in their order.
  /// - Throws: `ArchiveProblem`, naming the mapping and the property.
  static func decode(_ data: Data) throws -> [NSEntityMapping] {
    let archive = try KeyedArchive(data)
    guard let root = archive.object(archive.root), root.isKind(of: "NSMappingModel") else {
      throw ArchiveProblem("The archive holds no mapping model.")
    }
    let decoder = MappingDecoder(embedded: EmbeddedArchives(archive))
    var names: Set<String> = []
    return try root.elements("NSEntityMappings").map { element in
      guard let object = archive.object(element.uidValue), object.isKind(of: "NSEntityMapping") else {
        throw ArchiveProblem("The mapping model has an entity mapping that is none.")
      }
      let mapping = try decoder.entityMapping(object)
      guard names.insert(mapping.name).inserted else {
        throw ArchiveProblem("There are two entity mappings of the name “\(mapping.name ?? "")”.")
      }
      return mapping
    }
  }

  private func entityMapping(_ object: ArchivedObject) throws -> NSEntityMapping {
    let mapping = NSEntityMapping()
    mapping.name = object.string("NSMappingName")
    let number = object.integer("NSMappingType")
    guard let type = UInt(exactly: number).flatMap(NSEntityMappingType.init) else {
      throw ArchiveProblem("\(number) is no type of the entity mapping “\(mapping.name ?? "")”.")
    }
    mapping.mappingType = type
    mapping.sourceEntityName = object.string("NSSourceEntityName")
    mapping.sourceEntityVersionHash = data(object, "NSSourceEntityVersionHash")
    mapping.destinationEntityName = object.string("NSDestinationEntityName")
    mapping.destinationEntityVersionHash = data(object, "NSDestinationEntityVersionHash")
    mapping.entityMigrationPolicyClassName = object.string("NSEntityMigrationPolicyClassName")
    do {
      mapping.sourceExpression = try embedded.object(object.fields["NSSourceExpression"], of: NSExpression.self)
      mapping.attributeMappings = try propertyMappings(object, "NSAttributeMappings")
      mapping.relationshipMappings = try propertyMappings(object, "NSRelationshipMappings")
      mapping.userInfo = try userInfo(object)
    } catch let problem as ArchiveProblem {
      throw ArchiveProblem("\(mapping.name ?? ""): \(problem.reason)")
    }
    return mapping
  }

  private func data(_ object: ArchivedObject, _ key: String) -> Data? {
    object.archive.value(object.fields[key]) as? Data
  }

  private func userInfo(_ object: ArchivedObject) throws -> [AnyHashable: Any]? {
    object.object("NSUserInfo") == nil ? nil : try ArchivedProperty.userInfo(object, embedded)
  }

  private func propertyMappings(_ object: ArchivedObject, _ key: String) throws -> [NSPropertyMapping]? {
    guard object.object(key) != nil else { return nil }
    return try object.elements(key).map { element in
      guard let archived = object.archive.object(element.uidValue), archived.isKind(of: "NSPropertyMapping") else {
        throw ArchiveProblem("It has a property mapping that is none.")
      }
      let mapping = NSPropertyMapping()
      mapping.name = archived.string("NSDestinationPropertyName")
      do {
        mapping.valueExpression = try embedded.object(archived.fields["NSValueExpression"], of: NSExpression.self)
        mapping.userInfo = try userInfo(archived)
      } catch let problem as ArchiveProblem {
        throw ArchiveProblem("\(mapping.name ?? ""): \(problem.reason)")
      }
      return mapping
    }
  }
}
